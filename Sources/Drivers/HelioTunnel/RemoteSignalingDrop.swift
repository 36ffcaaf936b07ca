/// The reason why `RemoteSignalingService` dropped a message or ended a call.
package enum RemoteSignalingDrop: String, CaseIterable, Hashable, Sendable {
    /// A message that is not UTF-8.
    case malformedText = "malformed-text"
    /// A message that was not authentic, out of order or repeated.
    case violated
    /// Messages beyond the number that may wait until the call's servers are found.
    case tooManyMessages = "too-many-messages"
    /// A TURN server that a rendezvous on the Internet lends, at addresses that are not public alone.
    case privateServer = "private-server"
    /// A datagram, which browsers' calls have no use for.
    case datagram
    /// A call while nobody takes any.
    case notServing = "not-serving"
}
