package import HelioPeer

/// A command of the host to the driver about a browser's connections.
package enum WebOutput {
    /// One text message by the WebSocket.
    case send([UInt8])
    /// Ends the WebSocket, once what was sent is out.
    case close
    case peer(Peer)

    package enum Peer {
        /// Gives this engine datagrams and time from now on: answered by `peerOpened` or `peerRefused`.
        case open(PeerEngine)
        /// The engine was worked on: its outputs are to be carried out.
        case run
        /// Ends the connection, once what was sent is out; answered by `peerReleased`. Its events are of no more use.
        case close
    }
}
