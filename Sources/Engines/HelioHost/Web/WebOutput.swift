package import HelioPeer

/// A command of the host to the driver about a browser's connections.
package enum WebOutput {
    /// Send one text message on the WebSocket.
    case send([UInt8])
    /// Close the WebSocket once all messages are sent.
    case close
    case peer(Peer)

    package enum Peer {
        /// Pass datagrams and time to this engine from now on; answered by `peerOpened` or `peerRefused`.
        case open(PeerEngine)
        /// Drain the engine's outputs, as the engine was called.
        case run
        /// Send a text message on a data channel; answered by `peerUnread` if the connection refuses it.
        case send([UInt8], on: PeerChannelID)
        /// Close the connection once everything is sent; answered by `peerReleased`. The connection's events are
        /// ignored from then on.
        case close
    }
}
