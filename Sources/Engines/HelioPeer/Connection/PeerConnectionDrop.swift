/// The reason for dropping a datagram, its content or another input.
package enum PeerConnectionDrop: String, CaseIterable, Hashable, Sendable {
    /// The first byte matches no protocol multiplexed on the port (RFC 7983).
    case unknownProtocol = "unknown-protocol"
    case empty
    /// Received after the connection had ended.
    case afterEnd = "after-end"
    /// Received before the first description.
    case beforeDescription = "before-description"
    /// DTLS received before ICE has verified its source address, beyond the number of datagrams that are stored.
    case unproven
    /// Media received before the SRTP keys.
    case beforeKeys = "before-keys"
    /// Data over DTLS without negotiated data channels.
    case dataNotWanted = "data-not-wanted"
    /// A plain datagram from an address that ICE has not verified.
    case unprovenPlain = "unproven-plain"
    /// An outgoing datagram that can't be sent as it is: the configuration allows none, its first byte is that of
    /// another protocol, or it is too large.
    case notPlain = "not-plain"
    /// An outgoing datagram without a path to the peer.
    case noPath = "no-path"
    /// An outgoing packet that could not be encrypted.
    case protectionFailed = "protection-failed"
    /// Outgoing media without a negotiated section.
    case notSending = "not-sending"
    /// A remote candidate from before an ICE restart, or of an ICE generation whose description never arrived.
    case otherGeneration = "other-generation"
    /// A STUN or TURN server of an unsupported kind.
    case unsupportedServer = "unsupported-server"
    /// A server whose name can't be resolved.
    case unresolvedServer = "unresolved-server"
    /// A server of which only public addresses may be used, and which has none.
    case privateServer = "private-server"
    /// A STUN or TURN server beyond the limit.
    case tooManyServers = "too-many-servers"
    /// An event of a relay that has been closed.
    case unknownRelay = "unknown-relay"
}
