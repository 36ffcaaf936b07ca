/// The state of an agent.
///
///     new --remote credentials--> checking --a pair is nominated--> connected <--> disconnected
///                                     |                                 |               |
///                                     +-------------> failed <----------+---------------+       any --close--> closed
///
/// A restart leaves `failed`. While a restart runs, the state stays that of the path which is used meanwhile.
package enum ICEState: Hashable, Sendable, CaseIterable {
    case new
    case checking
    case connected
    /// The peer has not answered for a while; it may come back.
    case disconnected
    /// No pair works, or the peer's consent has expired (RFC 7675): nothing more may be sent.
    case failed
    case closed
}
