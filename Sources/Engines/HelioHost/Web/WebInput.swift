package import HelioPeer
package import HelioRemote
package import HelioRemoteWire

/// An input of a browser's viewer: first by its WebSocket, then by its peer connection.
package enum WebInput: Sendable {
    /// Its WebSocket is open. `isSecure`: nobody on the way reads what goes by it.
    case connected(address: String, isSecure: Bool = false)
    /// One text message.
    case received([UInt8])
    /// The WebSocket has ended. A session that is let in goes on without it.
    case disconnected

    /// What its person wants to hear, by its data channel.
    case audio(WebAudio)
    /// Whether its page is seen: by its data channel, too.
    case picture(isWanted: Bool)
    /// What its person wants of the picture: by its data channel, too.
    case quality(PictureWish)

    /// `WebOutput.Peer.open` is done: the engine knows this end's addresses.
    case peerOpened
    /// `WebOutput.Peer.open` failed, for this reason, which the viewer is told.
    case peerRefused(String)
    case peerEvent(PeerConnectionEvent)
    /// `WebOutput.Peer.close` is done: nothing of the engine is left.
    case peerReleased
}
