import HelioCore
import HelioICE
import HelioOpenSSL
import HelioProtection
import HelioSTUN
import Testing

/// One agent on virtual time; the test plays its peer.
final class ICEBench {
    static let credentials = ICECredentials(usernameFragment: "peer", password: "passwordOfThePeer123456")!

    let agent: ICEAgent
    var now = Instant.zero
    var sent: [(at: Instant, bytes: [UInt8], to: TransportAddress)] = []
    var events: [ICEAgent.Event] = []
    var names: [String] = []
    var connections: [TransportAddress] = []

    init(_ settings: ICESettings, seed: UInt64 = 1) throws {
        agent = try ICEAgent(settings, crypto: OpenSSLCrypto(), random: SeededGenerator(seed: seed), now: .zero)
    }

    func give(_ input: ICEAgent.Input) {
        agent.handle(input, now: now)
        drain()
    }

    func run(for duration: Duration) {
        let end = now + duration
        while let due = agent.deadline, due.at <= end {
            now = max(now, due.at)
            agent.tick(now: now)
            drain()
        }
        now = end
    }

    private func drain() {
        while let output = agent.poll() {
            switch output {
            case .send(let bytes, _, let to): sent.append((now, bytes, to))
            case .event(let event): events.append(event)
            case .resolve(let name): names.append(name)
            case .connect(_, let to): connections.append(to)
            }
        }
    }

    /// The last check sent to an address.
    func lastCheck(to remote: TransportAddress) throws -> [UInt8] {
        try #require(sent.last { $0.to == remote && $0.bytes.span.bytes.uint16(at: 0) == 1 }).bytes
    }

    static func sealed(_ message: STUNMessage, _ password: SecretBytes) throws -> [UInt8] {
        let mac = try OpenSSLCrypto().mac(.sha1, key: password)
        return message.serialised(integrity: .sha1) { mac.code(over: $0, trailer: nil).bytes }
    }

    /// A valid check from the peer.
    func check(
        _ number: UInt64, usesCandidate: Bool = false, attributes: [STUNAttribute] = [], by asker: String = "peer",
        of asked: ICECredentials? = nil
    ) throws -> [UInt8] {
        let asked = asked ?? agent.localCredentials
        let name = "\(asked.usernameFragment):\(asker)"
        let role: STUNAttribute = agent.isControlling ? .iceControlled(1) : .iceControlling(1)
        let message = STUNMessage(
            .request, .binding, STUNTransactionID(high: 7, low: number),
            [.username(name), .priority(0x6E00_01FF), role] + (usesCandidate ? [.useCandidate] : []) + attributes)
        return try Self.sealed(message, asked.password)
    }

    /// The peer's success response to a check.
    static func answer(_ request: [UInt8], _ mapped: TransportAddress) throws -> [UInt8] {
        let transaction = try STUNPacket(parsing: request.span.bytes).message.transaction
        return try sealed(
            STUNMessage(.success, .binding, transaction, [.xorMappedAddress(mapped)]), credentials.password)
    }

    static func conflict(_ request: [UInt8]) throws -> [UInt8] {
        let transaction = try STUNPacket(parsing: request.span.bytes).message.transaction
        let error = STUNErrorCode(STUNErrorCode.roleConflict, "Role Conflict")
        return try sealed(STUNMessage(.error, .binding, transaction, [.errorCode(error)]), credentials.password)
    }
}
