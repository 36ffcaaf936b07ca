package import HelioCore
package import HelioSTUN

/// An address at which the peer may reach this end.
package struct LocalCandidate: Hashable, Sendable {
    package let kind: CandidateKind
    /// The address that the peer sends to.
    package let address: TransportAddress
    /// The address at which datagrams arrive, and from which they are sent: a socket's, or the one on the TURN server.
    package let base: TransportAddress
    /// The related address: the one that a server saw, or was asked from.
    package let related: TransportAddress?
    /// The address of the STUN or TURN server.
    package let server: IPAddress?
    /// The preference among candidates of the same kind: the greater one comes first.
    package let preference: UInt16
    /// The end that connects, by TCP; `nil` by UDP.
    package let tcpRole: CandidateTransport.TCPRole?
    /// True for an active candidate that is no socket yet: its base is a connection's, once there is one.
    package private(set) var needsConnection = false
    /// The foundation, given by the agent.
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

    /// A port of TCP that takes connections (RFC 6544 section 4.1).
    ///
    /// - Parameter address: of TCP.
    package static func tcpPassive(_ address: TransportAddress, preference: UInt16 = .max) -> Self {
        precondition(address.transport == .tcp, "a port of UDP takes no connections")
        return Self(
            .host, address, base: address, related: nil, server: nil, preference: preference, tcpRole: .passive)
    }

    /// An address that connections may be made from. Port 9 says in signalling that it is not known yet which
    /// (RFC 6544 section 4.5).
    package static func tcpActive(_ ip: IPAddress, preference: UInt16 = .max) -> Self {
        let address = TransportAddress(ip, port: 9, transport: .tcp)
        var candidate = Self(
            .host, address, base: address, related: nil, server: nil, preference: preference, tcpRole: .active)
        candidate.needsConnection = true
        return candidate
    }

    /// The same candidate, as a connection has made it a socket.
    func connected(from local: TransportAddress) -> Self {
        var candidate = Self(
            kind, local, base: local, related: related, server: server, preference: preference, tcpRole: tcpRole)
        candidate.foundation = foundation
        return candidate
    }

    /// - Parameter base: the host candidate that the server was asked from.
    package static func serverReflexive(
        _ address: TransportAddress, base: TransportAddress, server: IPAddress, preference: UInt16 = .max
    ) -> Self {
        Self(.serverReflexive, address, base: base, related: base, server: server, preference: preference)
    }

    /// - Parameters:
    ///   - address: the one on the server; the driver sends through the server what goes out from it.
    ///   - mapped: the address at which the server saw the client.
    package static func relayed(
        _ address: TransportAddress, mapped: TransportAddress?, server: IPAddress, preference: UInt16 = .max
    ) -> Self {
        Self(.relayed, address, base: address, related: mapped, server: server, preference: preference)
    }

    package var priority: UInt32 { priority(as: kind) }

    /// The candidate as signalling tells it.
    package var attribute: CandidateAttribute {
        CandidateAttribute(
            foundation: foundation, transport: tcpRole.map { .tcp($0) } ?? .udp, priority: priority,
            host: .ip(address.ip), port: address.port, kind: kind,
            related: related.map { .init(host: .ip($0.ip), port: $0.port) })
    }

    /// The priority that the peer gives the address if it learns of it by a check (RFC 8445 section 7.1.1).
    var checkPriority: UInt32 { priority(as: .peerReflexive) }

    private func priority(as kind: CandidateKind) -> UInt32 {
        tcpRole.map { kind.priority($0, localPreference: preference) } ?? kind.priority(localPreference: preference)
    }
}
