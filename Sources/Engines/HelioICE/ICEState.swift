/// The state of an agent.
///
///     new --remote credentials--> checking --a pair is nominated--> connected <--> disconnected
///                                     |                                 |               |
///                                     +-------------> failed <----------+---------------+       any --close--> closed
///
/// A restart ends the state `failed`. During a restart, the state is that of the former pair, while it carries data.
package enum ICEState: Hashable, Sendable, CaseIterable {
    case new
    case checking
    case connected
    /// The peer has not answered for `ICESettings.disconnectedAfter`; the pair may still recover.
    case disconnected
    /// No pair works, or the peer's consent has expired (RFC 7675): nothing more may be sent.
    case failed
    case closed
}
