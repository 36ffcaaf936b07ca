import HelioCore
package import HelioPeer

/// What comes from a browser's viewer: first by its WebSocket, then by its peer connection.
package enum WebInput: Sendable {
    /// Its WebSocket is open.
    case connected(address: String)
    /// One text message.
    case received([UInt8])
    /// The WebSocket has ended. A session that is let in goes on without it.
    case disconnected

    /// `WebOutput.Peer.open` is done: the engine knows at which addresses this end is.
    case peerOpened
    /// It can't be done, for this reason, which the viewer is told.
    case peerRefused(String)
    case peerEvent(PeerConnectionEvent)
    /// `WebOutput.Peer.close` is done: nothing of the engine is left.
    case peerReleased
}
