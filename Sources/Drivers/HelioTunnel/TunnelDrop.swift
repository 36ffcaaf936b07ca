/// The reason why a tunnel dropped a call, a message or a datagram.
package enum TunnelDrop: String, CaseIterable, Hashable, Sendable {
    /// A call with a tag of which this host knows no secret.
    case unknownTag = "unknown-tag"
    /// A call beyond the number at once, of all or of one secret.
    case tooManyCalls = "too-many-calls"
    /// A call from an address that has called too often.
    case tooFast = "too-fast"
    /// A call with a message that is not authentic, out of order or malformed.
    case violated
    /// A call whose first message is that of an earlier call.
    case replayed
    /// A call whose ringer has not sent the first message in time.
    case silentRinger = "silent-ringer"
    /// A call whose ringer has made an offer, and has not connected the stream in time.
    case unconnected
    /// A request to wake another machine whose ringer may not ask for it: one with a link, or where nobody is woken.
    case wakeNotPermitted = "wake-not-permitted"
    /// A request to wake another machine from a device that has asked too often.
    case wakeTooFast = "wake-too-fast"
    /// A request to wake another machine for which no packet could be sent.
    case wakeFailed = "wake-failed"
    /// A message that does not belong to the state of its call.
    case unexpected
    /// A datagram before the links exist, or after they have ended.
    case noLinks = "no-links"
    /// A datagram to a virtual path that no call has.
    case unknownPath = "unknown-path"
    /// A candidate beyond those that are kept, or of no use.
    case candidate
    /// A link beyond the number at once, or after the end.
    case refusedLink = "refused-link"
    /// A TURN server that a rendezvous on the Internet lends, at addresses that are not public alone.
    case privateServer = "private-server"
    /// A TURN or STUN server with a malformed address.
    case malformedServer = "malformed-server"
}
