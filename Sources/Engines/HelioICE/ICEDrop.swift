/// The reason why a received message, a candidate or other input was dropped.
package enum ICEDrop: String, CaseIterable, Hashable, Sendable {
    /// A datagram that is no STUN message, or a broken one.
    case notSTUN = "not-stun"
    case malformed
    /// A STUN message with another method than Binding.
    case unknownMethod = "unknown-method"
    /// A Binding indication, which keeps a NAT's binding and needs no answer.
    case indication
    /// A check without USERNAME or MESSAGE-INTEGRITY.
    case unauthenticated
    /// A check whose USERNAME does not begin with our fragment: for another agent, or from before a restart.
    case unknownUser = "unknown-user"
    /// A check whose USERNAME has our ufrag, but not the peer's signalled one. Browsers send such checks around an ICE
    /// restart, mixing old and new credentials. It is not answered, as such a pair never works.
    case unknownPeer = "unknown-peer"
    /// A check or answer with a wrong MESSAGE-INTEGRITY: made with another password, or changed on the way.
    case badIntegrity = "bad-integrity"
    /// A check received earlier on another path: a replay. It is answered, but has no other effect.
    case replayed
    /// A datagram received at an address that is no candidate.
    case unknownLocal = "unknown-local"
    /// An answer that matches no pending request, or comes too late.
    case unknownTransaction = "unknown-transaction"
    /// An answer from another address than the request went to (RFC 8445 section 7.2.5.2.1).
    case asymmetric
    /// A genuine answer that lacks a required attribute, or requires an unknown one.
    case uselessAnswer = "useless-answer"
    /// A check with unknown comprehension-required attributes.
    case unknownAttribute = "unknown-attribute"
    case roleConflict = "role-conflict"
    /// A candidate, pair, name or early check beyond the limit.
    case tooMany = "too-many"
    /// A remote candidate that can't be used: with a TCP role that no pair can be made of, not of the first component,
    /// or without a usable address.
    case unsupportedCandidate = "unsupported-candidate"
    /// The driver found no address for a name.
    case unresolved
    /// The peer has signalled other credentials without a restart.
    case unexpectedCredentials = "unexpected-credentials"
}
