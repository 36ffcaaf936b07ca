/// How far a connection has come (W3C WebRTC section 4.3.3).
public enum PeerState: String, Sendable, Hashable, CaseIterable {
    /// No description of the peer's yet.
    case new
    /// A way to the peer is looked for, or keys are agreed on.
    case connecting
    /// Messages and media flow.
    case connected
    /// The peer has not answered for a while; it may come back.
    case disconnected
    /// No way works, or the peer is not who its description says. An offer that restarts ICE may find another way.
    case failed
    /// By this end or the other; the last state.
    case closed
}
