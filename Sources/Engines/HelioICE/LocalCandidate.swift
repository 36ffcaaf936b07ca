package import HelioCore
package import HelioSTUN

/// An address at which the peer may reach this end.
package struct LocalCandidate: Hashable, Sendable {
    package let kind: CandidateKind
    /// The address that the peer sends to.
    package let address: TransportAddress
    /// The address that receives and sends the datagrams: a socket's, or the relayed one on the TURN server.
    package let base: TransportAddress
    /// The related address (RFC 8445 section 5.3): the base of a server-reflexive candidate, or the mapped address of a
    /// relayed candidate.
    package let related: TransportAddress?
    /// The address of the STUN or TURN server.
    package let server: IPAddress?
    /// The local preference: among candidates of the same kind, the highest gets the highest priority.
    package let preference: UInt16
    /// This end's role in opening the TCP connection; `nil` with UDP.
    package let tcpRole: CandidateTransport.TCPRole?
    /// True for an active TCP candidate without a connection; the base is known once the connection is open.
    package private(set) var needsConnection = false
    /// The foundation, assigned by the agent.
    package internal(set) var foundation = ""

    private init(
        _ kind: CandidateKind, _ address: TransportAddress, base: TransportAddress, related: TransportAddress?,
        server: IPAddress?, preference: UInt16, tcpRole: CandidateTransport.TCPRole? = nil
    ) {
        self.kind = kind
        self.address = address
        self.base = base
        self.related = related
        self.server = server
        self.preference = preference
        self.tcpRole = tcpRole
    }

    package static func host(_ address: TransportAddress, preference: UInt16 = .max) -> Self {
        Self(.host, address, base: address, related: nil, server: nil, preference: preference)
    }

    /// Makes a passive candidate from a TCP port that accepts connections (RFC 6544 section 4.1).
    ///
    /// - Parameter address: an address with the transport TCP.
    package static func tcpPassive(_ address: TransportAddress, preference: UInt16 = .max) -> Self {
        precondition(address.transport == .tcp, "a port of UDP takes no connections")
        return Self(
            .host, address, base: address, related: nil, server: nil, preference: preference, tcpRole: .passive)
    }

    /// Makes an active candidate from an address that can open TCP connections. It is signalled with port 9, as its
    /// port is not known yet (RFC 6544 section 4.5).
    package static func tcpActive(_ ip: IPAddress, preference: UInt16 = .max) -> Self {
        let address = TransportAddress(ip, port: 9, transport: .tcp)
        var candidate = Self(
            .host, address, base: address, related: nil, server: nil, preference: preference, tcpRole: .active)
        candidate.needsConnection = true
        return candidate
    }

    /// Returns the candidate with the local address of its open connection as its base.
    func connected(from local: TransportAddress) -> Self {
        var candidate = Self(
            kind, local, base: local, related: related, server: server, preference: preference, tcpRole: tcpRole)
        candidate.foundation = foundation
        return candidate
    }

    /// Makes a server-reflexive candidate.
    ///
    /// - Parameter base: the address of the host candidate that sent the request to the STUN server.
    package static func serverReflexive(
        _ address: TransportAddress, base: TransportAddress, server: IPAddress, preference: UInt16 = .max
    ) -> Self {
        Self(.serverReflexive, address, base: base, related: base, server: server, preference: preference)
    }

    /// Makes a relayed candidate.
    ///
    /// - Parameters:
    ///   - address: the relayed address on the server; the driver sends datagrams from it through the server.
    ///   - mapped: the client's address as seen by the server.
    package static func relayed(
        _ address: TransportAddress, mapped: TransportAddress?, server: IPAddress, preference: UInt16 = .max
    ) -> Self {
        Self(.relayed, address, base: address, related: mapped, server: server, preference: preference)
    }

    package var priority: UInt32 { priority(as: kind) }

    /// The `a=candidate` attribute that signals the candidate to the peer.
    package var attribute: CandidateAttribute {
        CandidateAttribute(
            foundation: foundation, transport: tcpRole.map { .tcp($0) } ?? .udp, priority: priority,
            host: .ip(address.ip), port: address.port, kind: kind,
            related: related.map { .init(host: .ip($0.ip), port: $0.port) })
    }

    /// The priority that the peer assigns to the address if a check reveals the address (RFC 8445 section 7.1.1).
    var checkPriority: UInt32 { priority(as: .peerReflexive) }

    private func priority(as kind: CandidateKind) -> UInt32 {
        tcpRole.map { kind.priority($0, localPreference: preference) } ?? kind.priority(localPreference: preference)
    }
}
