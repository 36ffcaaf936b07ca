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

    /// RFC 6544 section 4.2: TCP comes behind all that goes directly by UDP, and before a relay. Where there is no
    /// translator to be helped, the end that connects is preferred to the one that waits.
    ///
    /// - Parameter localPreference: one address above another of the same kind; its upper 13 bits count.
    package func priority(_ role: CandidateTransport.TCPRole, localPreference: UInt16) -> UInt32 {
        let typePreference: UInt32 =
            switch self {
            case .host: 90
            case .peerReflexive: 80
            case .serverReflexive: 70
            case .relayed: 0
            }
        let isReflexive = self == .peerReflexive || self == .serverReflexive
        let direction: UInt32 =
            switch role {
            case .active: isReflexive ? 4 : 6
            case .passive: isReflexive ? 2 : 4
            case .simultaneousOpen: isReflexive ? 6 : 2
            }
        return typePreference << 24 | (direction << 13 | UInt32(localPreference) >> 3) << 8 | 255
    }
}
