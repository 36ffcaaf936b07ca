/// A reason for which a datagram, or its content, was thrown away.
package enum PeerConnectionDrop: String, CaseIterable, Hashable, Sendable {
    /// Its first byte is that of no protocol that shares the port (RFC 7983).
    case unknownProtocol = "unknown-protocol"
    case empty
    /// It came after the connection had ended.
    case afterEnd = "after-end"
    /// It came before any description: nobody can be at the other end.
    case beforeDescription = "before-description"
    /// DTLS from an address that no check of ICE has shown to be the peer's.
    case unproven
    /// Media from before the keys.
    case beforeKeys = "before-keys"
    /// Data in DTLS, though no data channels were agreed on.
    case dataNotWanted = "data-not-wanted"
    /// An outgoing datagram without a path to the peer.
    case noPath = "no-path"
    /// An outgoing packet that could not be encrypted.
    case protectionFailed = "protection-failed"
    /// Outgoing media that no agreement has a section for.
    case notSending = "not-sending"
    /// A candidate of the peer's from before an ICE restart, or of one whose description never came.
    case otherGeneration = "other-generation"
    /// A STUN or TURN server of a kind that is not known here.
    case unsupportedServer = "unsupported-server"
    /// A server whose name can't be resolved.
    case unresolvedServer = "unresolved-server"
    /// A server beyond the most that are asked.
    case tooManyServers = "too-many-servers"
    /// An event of a relay that is not there any more.
    case unknownRelay = "unknown-relay"
}
