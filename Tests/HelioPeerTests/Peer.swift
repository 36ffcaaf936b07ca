import HelioCore
import HelioPeer
import HelioSDP

/// One end of a negotiation, and the transport that its descriptions describe.
struct Peer {
    var negotiation: Negotiation
    var transport: LocalTransport
    private var nextSSRC: UInt32

    init(_ name: String, _ configuration: NegotiationConfiguration? = nil) {
        let seed = name.utf8.reduce(0) { $0 &* 31 &+ UInt64($1) }
        negotiation = Negotiation(configuration ?? NegotiationConfiguration(sessionID: seed, cname: name))
        transport = Self.transport(name, generation: 0)
        nextSSRC = UInt32(truncatingIfNeeded: seed) &* 1000
    }

    static func transport(_ name: String, generation: Int) -> LocalTransport {
        let byte = UInt8(truncatingIfNeeded: name.utf8.reduce(0) { $0 &* 31 &+ UInt64($1) })
        guard let fragment = ICEUsernameFragment("\(name)fragment\(generation)"),
            let password = ICEPassword("\(name)passwordpasswordpassword\(generation)"),
            let fingerprint = CertificateFingerprint(hash: "sha-256", bytes: [UInt8](repeating: byte, count: 32))
        else { preconditionFailure("no such transport") }
        return LocalTransport(usernameFragment: fragment, password: password, fingerprints: [fingerprint])
    }

    mutating func stream() -> SendingStream {
        nextSSRC &+= 2
        return SendingStream(
            ssrc: SSRC(nextSSRC), retransmissionSSRC: SSRC(nextSSRC &+ 1), stream: "screen", track: "track\(nextSSRC)")
    }

    /// Makes and applies an offer; returns the description that is signalled.
    mutating func offer() throws -> SessionDescription {
        let offer = try negotiation.createOffer(transport)
        try negotiation.setLocal(offer)
        return try Self.overTheWire(offer.session)
    }

    /// Applies an offer; returns the answer.
    mutating func answer(_ offer: SessionDescription) throws -> SessionDescription {
        try negotiation.setRemote(offer: offer)
        let answer = try negotiation.createAnswer(transport)
        try negotiation.setLocal(answer)
        return try Self.overTheWire(answer.session)
    }

    /// Makes a complete exchange with this end as the offerer.
    mutating func exchange(with other: inout Peer) throws {
        try negotiation.setRemote(answer: try other.answer(try offer()))
    }

    private static func overTheWire(_ session: SessionDescription) throws -> SessionDescription {
        try SessionDescription(parsing: session.serialised())
    }
}
