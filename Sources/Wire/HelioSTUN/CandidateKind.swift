/// The type of an ICE candidate, which states how its address was obtained (RFC 8445 section 5.1.1).
package enum CandidateKind: String, Hashable, Sendable, CaseIterable {
    /// A host candidate: an interface's own address.
    case host
    /// A server-reflexive candidate: the address that a STUN server reported.
    case serverReflexive = "srflx"
    /// A peer-reflexive candidate: the address that the peer reported.
    case peerReflexive = "prflx"
    /// A relayed candidate: an address on a TURN server.
    case relayed = "relay"

    /// The type preference recommended by RFC 8445 section 5.1.2.2, higher for more direct paths.
    package var typePreference: UInt32 {
        switch self {
        case .host: 126
        case .peerReflexive: 110
        case .serverReflexive: 100
        case .relayed: 0
        }
    }

    /// The priority for component 1 (RFC 8445 section 5.1.2.1).
    ///
    /// - Parameter localPreference: the preference among addresses of the same kind; higher is preferred.
    package func priority(localPreference: UInt16) -> UInt32 {
        typePreference << 24 | UInt32(localPreference) << 8 | 255
    }

    /// The priority over TCP (RFC 6544 section 4.2): below all direct UDP candidates, and above relayed ones. For host
    /// candidates, the active role is preferred; for reflexive ones, simultaneous open.
    ///
    /// - Parameter localPreference: the preference among addresses of the same kind; only its upper 13 bits count.
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
