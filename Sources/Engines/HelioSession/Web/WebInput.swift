package import HelioCore
package import HelioRemoteWire

/// What comes from a browser's viewer: first by its WebSocket, then by its peer connection, which the driver owns.
package enum WebInput: Sendable {
    /// Its WebSocket is open.
    case connected(address: String)
    /// One text message.
    case received([UInt8])
    /// The WebSocket has ended. A session that is let in goes on without it.
    case disconnected

    /// What `begin` has led to.
    case peerAnswer(sdp: String)
    /// To be trickled; `nil`: there are no more.
    case peerCandidate(TrickledCandidate?)
    /// The offer was not taken; the viewer is told why.
    case peerRefused(String)
    case peerConnected
    /// The viewer's channel `control` is open.
    case peerControlOpen
    case peerMessage([UInt8], RemoteChannel)
    /// It lost the picture, or its path was too slow for it.
    case peerKeyframeNeeded
    /// What its path takes.
    case peerEstimate(Bitrate)
    /// For good: nothing of it is left.
    case peerClosed(reason: String)
}
