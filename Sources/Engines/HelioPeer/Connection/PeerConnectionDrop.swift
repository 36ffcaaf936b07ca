/// Why a datagram, or what was in one, was thrown away.
package enum PeerConnectionDrop: String, CaseIterable, Hashable, Sendable {
    /// Its first byte is that of no protocol that shares the port (RFC 7983).
    case unknownProtocol = "unknown-protocol"
    case empty
    /// The connection has ended.
    case afterEnd = "after-end"
    /// Before any description: nobody can be at the other end.
    case beforeDescription = "before-description"
    /// DTLS from an address that no check of ICE has shown to be the peer's.
    case unproven
    /// Media from before the keys.
    case beforeKeys = "before-keys"
    /// What DTLS carried, though no data channels were agreed on.
    case dataNotWanted = "data-not-wanted"
    /// Of ours: there is no path to the peer.
    case noPath = "no-path"
    /// Of ours: it could not be protected.
    case protectionFailed = "protection-failed"
    /// Of ours: media that no agreement has a section for.
    case notSending = "not-sending"
    /// A candidate of the peer's from before an ICE restart, or of one whose description never came.
    case otherGeneration = "other-generation"
    /// A STUN or TURN server of a kind that is not known here,
    case unsupportedServer = "unsupported-server"
    /// whose name can't be resolved,
    case unresolvedServer = "unresolved-server"
    /// or one more than are asked.
    case tooManyServers = "too-many-servers"
    /// From a relay that is not there any more.
    case unknownRelay = "unknown-relay"
}
