/// A reason for dropping something that was received.
package enum ICEDrop: String, CaseIterable, Hashable, Sendable {
    /// A datagram that is no STUN message, or a broken one.
    case notSTUN = "not-stun"
    case malformed
    /// STUN, but no Binding.
    case unknownMethod = "unknown-method"
    /// A Binding indication: keeps a NAT's binding and asks for nothing.
    case indication
    /// A check without user name or code.
    case unauthenticated
    /// A check for another agent, or for one before a restart.
    case unknownUser = "unknown-user"
    /// A check that pairs this end's credentials with others of the peer's than it has told: around a restart, browsers
    /// check with one end's new ones and the other's old ones. It is not answered, as nothing comes of such a pair.
    case unknownPeer = "unknown-peer"
    /// A check or an answer made with another password, or changed on the way.
    case badIntegrity = "bad-integrity"
    /// A check that came from elsewhere before: somebody replays it. It is answered, but leads nowhere.
    case replayed
    /// A datagram received at an address that is no candidate.
    case unknownLocal = "unknown-local"
    /// An answer to no request of ours, or too late.
    case unknownTransaction = "unknown-transaction"
    /// An answer from another address than the request went to (RFC 8445 section 7.2.5.2.1).
    case asymmetric
    /// A genuine answer that does not tell what it must, or needs what is not known here.
    case uselessAnswer = "useless-answer"
    /// A check with attributes that must be understood and are not.
    case unknownAttribute = "unknown-attribute"
    case roleConflict = "role-conflict"
    /// One candidate, pair, name or early check more than is kept.
    case tooMany = "too-many"
    /// A candidate that is not usable here: of a kind of TCP that no pair can be made of, not the first component, or
    /// without a usable address.
    case unsupportedCandidate = "unsupported-candidate"
    /// The driver found no address for a name.
    case unresolved
    /// Other credentials, though nothing was restarted.
    case unexpectedCredentials = "unexpected-credentials"
}
