package import HelioPeer

/// An input from a viewer in a browser: first by its WebSocket, or by a call that stands for one, then by its peer
/// connection.
package enum WebInput: Sendable {
    /// The browser's WebSocket is open; `isSecure` is true if nobody on the path can read its messages. `lent` are
    /// servers for the host's end of this session alone.
    case connected(address: String, isSecure: Bool = false, lent: WebServers = WebServers())
    /// A text message from the browser's WebSocket.
    case received([UInt8])
    /// The WebSocket has ended. A session that has a peer connection continues without it.
    case disconnected

    /// `WebOutput.Peer.open` has succeeded: the engine has this end's addresses.
    case peerOpened
    /// `WebOutput.Peer.open` has failed; the reason is sent to the viewer.
    case peerRefused(String)
    case peerEvent(PeerConnectionEvent)
    /// The peer connection has refused a message of `WebOutput.Peer.send` for this channel.
    case peerUnread(PeerChannelID)
    /// `WebOutput.Peer.close` is done: the engine has been released.
    case peerReleased
}
