import HelioCore
import HelioOpenSSL
import HelioProtection
import HelioSimulation

/// One end of a DTLS association on a simulated network. Once connected it sends several hello messages, as any of them
/// may be lost.
final class DTLSEnd: SimulatedPeer {
    static let provider = makeProvider()
    static let otherProvider = makeProvider()
    static let hello: [UInt8] = Array("hello".utf8)
    private static let pause = Duration.milliseconds(100)

    let transport: any DTLSTransport
    /// Modifies each datagram before it is sent; `nil` drops it.
    var tamper: (Int, [UInt8]) -> [UInt8]? = { $1 }
    private(set) var session: DTLSSession?
    private(set) var received: [[UInt8]] = []
    private(set) var failure: DTLSFailure?
    private(set) var isClosed = false
    /// The size of each sent datagram.
    private(set) var sizes: [Int] = []
    private(set) var sentAt: [Instant] = []
    private var hellos: Int
    private var nextHello: Instant?

    init(
        _ role: DTLSRole, expects fingerprints: [DTLSFingerprint]? = nil, provider: OpenSSLDTLS = provider,
        hellos: Int = 0, now: Instant = .zero, _ change: (inout DTLSConfiguration) -> Void = { _ in }
    ) throws {
        var configuration = DTLSConfiguration(
            role: role, expected: fingerprints ?? [DTLSEnd.provider.fingerprint])
        change(&configuration)
        transport = try provider.transport(configuration, now: now)
        self.hellos = hellos
    }

    static func makeProvider() -> OpenSSLDTLS {
        do {
            return try OpenSSLDTLS(DTLSIdentity())
        } catch {
            fatalError("no identity: \(error)")
        }
    }

    /// True if the handshake has succeeded or failed for good.
    var isDecided: Bool { session != nil || failure != nil || isClosed }

    func receive(_ datagram: [UInt8], now: Instant) { transport.handle(datagram, now: now) }

    func tick(now: Instant) {
        if let due = transport.deadline, due.at <= now { transport.tick(now: now) }
        guard let next = nextHello, next <= now else { return }
        hellos -= 1
        nextHello = hellos > 0 ? now + Self.pause : nil
        // Throws if the other end has already closed the association.
        try? transport.send(Self.hello)
    }

    func pollDatagram(now: Instant) -> [UInt8]? {
        while let output = transport.poll() {
            switch output {
            case .datagram(let bytes):
                sizes.append(bytes.count)
                sentAt.append(now)
                guard let tampered = tamper(sizes.count - 1, bytes) else { continue }
                return tampered
            case .connected(let session):
                precondition(self.session == nil && failure == nil)
                self.session = session
                nextHello = hellos > 0 ? now : nil
            case .data(let bytes): received.append(bytes)
            case .closed: isClosed = true
            case .failed(let failure):
                precondition(self.failure == nil)
                self.failure = failure
            }
        }
        return nil
    }

    var deadline: Deadline? {
        .earliest(transport.deadline, nextHello.map { Deadline(at: $0, why: "hello") })
    }
}
