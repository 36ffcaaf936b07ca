/// How an address of an ICE candidate came to be known (RFC 8445 section 5.1.1).
package enum CandidateKind: String, Hashable, Sendable, CaseIterable {
    /// An interface's own.
    case host
    /// As a STUN server sees it.
    case serverReflexive = "srflx"
    /// As the peer saw it.
    case peerReflexive = "prflx"
    /// A TURN server's, which passes on.
    case relayed = "relay"

    /// RFC 8445 section 5.1.2.2's recommendation: the more direct, the better.
    package var typePreference: UInt32 {
        switch self {
        case .host: 126
        case .peerReflexive: 110
        case .serverReflexive: 100
        case .relayed: 0
        }
    }

    /// RFC 8445 section 5.1.2.1, for component 1.
    ///
    /// - Parameter localPreference: one address above another of the same kind.
    package func priority(localPreference: UInt16) -> UInt32 {
        typePreference << 24 | UInt32(localPreference) << 8 | 255
    }
}
