/// The state of a connection (W3C WebRTC section 4.3.3).
public enum PeerState: String, Sendable, Hashable, CaseIterable {
    /// The peer has not sent a description yet.
    case new
    /// A path to the peer is being found, or the DTLS handshake is under way.
    case connecting
    /// Messages and media can be exchanged.
    case connected
    /// The peer has not answered for a while; the connection may recover.
    case disconnected
    /// No path works, or the peer's certificate does not match its description. An offer that restarts ICE may find
    /// another path.
    case failed
    /// Either end has closed the connection; the last state.
    case closed
}
