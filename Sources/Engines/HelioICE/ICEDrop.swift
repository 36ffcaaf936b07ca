/// The reason for dropping a received message, a candidate or another input.
package enum ICEDrop: String, CaseIterable, Hashable, Sendable {
    /// A datagram that is not a STUN message.
    case notSTUN = "not-stun"
    case malformed
    /// A STUN message with another method than Binding.
    case unknownMethod = "unknown-method"
    /// A Binding indication: a keepalive, which has no answer.
    case indication
    /// A check without USERNAME or MESSAGE-INTEGRITY.
    case unauthenticated
    /// A check whose USERNAME does not begin with our fragment, for example one from before a restart.
    case unknownUser = "unknown-user"
    /// A check whose USERNAME has our fragment, but not the peer's signalled one. Browsers send such checks during an
    /// ICE restart, when they mix old and new credentials. It is not answered, as its pair would not work.
    case unknownPeer = "unknown-peer"
    /// A check or answer with a wrong MESSAGE-INTEGRITY: another password was used, or the message was modified.
    case badIntegrity = "bad-integrity"
    /// A replay: a check that was received before on another path. It is answered, but has no other effect.
    case replayed
    /// A datagram received at an address that is not a candidate.
    case unknownLocal = "unknown-local"
    /// An answer that matches no pending request, or arrives too late.
    case unknownTransaction = "unknown-transaction"
    /// An answer whose source is not the destination of the request (RFC 8445 section 7.2.5.2.1).
    case asymmetric
    /// An authentic answer that lacks a required attribute, or has an unknown comprehension-required one.
    case uselessAnswer = "useless-answer"
    /// A check with unknown comprehension-required attributes.
    case unknownAttribute = "unknown-attribute"
    case roleConflict = "role-conflict"
    /// A candidate, pair, name or early check beyond the limit.
    case tooMany = "too-many"
    /// A candidate that can't be used: it has an unusable TCP role or address, or is not of the first component.
    case unsupportedCandidate = "unsupported-candidate"
    /// The driver found no address for a name.
    case unresolved
    /// The peer has signalled other credentials without a restart.
    case unexpectedCredentials = "unexpected-credentials"
}
