package import HelioCore
package import HelioSTUN

/// An address at which the peer may reach this end.
package struct LocalCandidate: Hashable, Sendable {
    package let kind: CandidateKind
    /// Where the peer sends to.
    package let address: TransportAddress
    /// Where it arrives, and what datagrams are sent from: a socket's address, or the one on the TURN server.
    package let base: TransportAddress
    /// What a server saw, or was asked from.
    package let related: TransportAddress?
    /// The STUN or TURN server's.
    package let server: IPAddress?
    /// One above another of the same kind.
    package let preference: UInt16
    /// Given by the agent.
    package internal(set) var foundation = ""

    private init(
        _ kind: CandidateKind, _ address: TransportAddress, base: TransportAddress, related: TransportAddress?,
        server: IPAddress?, preference: UInt16
    ) {
        self.kind = kind
        self.address = address
        self.base = base
        self.related = related
        self.server = server
        self.preference = preference
    }

    package static func host(_ address: TransportAddress, preference: UInt16 = .max) -> Self {
        Self(.host, address, base: address, related: nil, server: nil, preference: preference)
    }

    /// - Parameter base: the host candidate that the server was asked from.
    package static func serverReflexive(
        _ address: TransportAddress, base: TransportAddress, server: IPAddress, preference: UInt16 = .max
    ) -> Self {
        Self(.serverReflexive, address, base: base, related: base, server: server, preference: preference)
    }

    /// - Parameters:
    ///   - address: on the server; the driver sends by the server what goes out from it.
    ///   - mapped: where the server saw the client.
    package static func relayed(
        _ address: TransportAddress, mapped: TransportAddress?, server: IPAddress, preference: UInt16 = .max
    ) -> Self {
        Self(.relayed, address, base: address, related: mapped, server: server, preference: preference)
    }

    package var priority: UInt32 { kind.priority(localPreference: preference) }

    /// As signalling tells it.
    package var attribute: CandidateAttribute {
        CandidateAttribute(
            foundation: foundation, priority: priority, host: .ip(address.ip), port: address.port, kind: kind,
            related: related.map { .init(host: .ip($0.ip), port: $0.port) })
    }

    /// What the peer gives the address if it learns of it by a check (RFC 8445 section 7.1.1).
    var checkPriority: UInt32 { CandidateKind.peerReflexive.priority(localPreference: preference) }
}
