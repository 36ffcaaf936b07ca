package import HelioPeer

/// A command of the host to the driver about a browser's connections.
package enum WebOutput {
    /// One text message by the WebSocket.
    case send([UInt8])
    /// Closes the WebSocket once all messages are sent.
    case close
    case peer(Peer)

    package enum Peer {
        /// Passes datagrams and time to this engine from now on; answered by `peerOpened` or `peerRefused`.
        case open(PeerEngine)
        /// The engine was called: its outputs are to be drained.
        case run
        /// Sends a text message on a data channel; answered by `peerUnread` if the connection does not take it.
        case send([UInt8], on: PeerChannelID)
        /// Closes the connection once everything is sent; answered by `peerReleased`. Its events are ignored from then
        /// on.
        case close
    }
}
