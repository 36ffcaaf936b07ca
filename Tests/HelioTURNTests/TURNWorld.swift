import HelioCore
import HelioOpenSSL
import HelioProtection
import HelioSTUN
import HelioSimulation
import HelioTURN
import Testing

/// A TURN client, a server model, and the network between them on virtual time, with peers that echo.
final class TURNWorld {
    static let address = TransportAddress(.v4(0xC000_0201), port: 3478)
    static let peer = TransportAddress(.v4(0xC633_6401), port: 5000)

    let client: TURNClient
    let model: SimulatedTURNServer
    private var time = VirtualTime()
    var now: Instant { time.now }
    var up: SimulatedLink
    var down: SimulatedLink
    var echoes = true
    /// The size of the pieces over TCP, in bytes.
    var pieceSize = 7
    private(set) var events: [TURNClient.Event] = []
    /// The time of each event.
    private(set) var times: [Instant] = []
    private(set) var sent: [[UInt8]] = []
    private let isTCP: Bool

    init(
        seed: UInt64 = 1, isTCP: Bool = false, loss: Double = 0, password: String = "correct horse",
        family: AddressFamily = .ipv4, configure: (inout TURNSettings) -> Void = { _ in }
    ) {
        var settings = TURNSettings()
        configure(&settings)
        let server = TURNServer(
            id: TURNServer.ID(rawValue: 1), address: Self.address, isTCP: isTCP, username: SimulatedTURNServer.username,
            password: SecretBytes(Array(password.utf8)), relayedFamily: family)
        client = TURNClient(
            server, settings: settings, crypto: OpenSSLCrypto(), random: SeededGenerator(seed: seed))
        model = SimulatedTURNServer(crypto: OpenSSLCrypto())
        model.isTCP = isTCP
        self.isTCP = isTCP
        let conditions = LinkConditions(
            loss: loss > 0 ? .random(loss) : .none, delay: .milliseconds(20), jitter: isTCP ? .zero : .milliseconds(5),
            duplicate: isTCP ? 0 : loss / 4)
        up = SimulatedLink(conditions, seed: seed &+ 100)
        down = SimulatedLink(conditions, seed: seed &+ 200)
    }

    /// Returns a connected client with a relayed address.
    static func allocated(
        seed: UInt64 = 1, isTCP: Bool = false, loss: Double = 0, configure: (inout TURNSettings) -> Void = { _ in }
    ) throws -> TURNWorld {
        let world = TURNWorld(seed: seed, isTCP: isTCP, loss: loss, configure: configure)
        world.give(.connected)
        world.run(for: .seconds(20)) { world.client.relayedAddress != nil }
        try #require(world.client.relayedAddress != nil)
        return world
    }

    func give(_ input: TURNClient.Input) {
        client.handle(input, now: now)
        drain()
    }

    /// Delivers a message as if from the server.
    func inject(_ message: STUNMessage) { give(.received(message.serialised())) }

    var data: [[UInt8]] { events.compactMap { if case .data(let bytes, _) = $0 { bytes } else { nil } } }
    var failure: TURNFailure? {
        for event in events { if case .failed(let failure) = event { return failure } }
        return nil
    }

    private func drain() {
        var count = 0
        while let output = client.poll() {
            count += 1
            precondition(count < 2000, "one input has too many consequences")
            switch output {
            case .send(let bytes):
                sent.append(bytes)
                up.send(bytes, now: now)
            case .event(let event):
                events.append(event)
                times.append(now)
            }
        }
    }

    private func serve() {
        for (bytes, peer) in model.toPeers where echoes { model.peerSends(bytes, from: peer, now: now) }
        if echoes { model.toPeers = [] }
        for bytes in model.toClient {
            guard isTCP else {
                down.send(bytes, now: now)
                continue
            }
            for start in stride(from: 0, to: bytes.count, by: pieceSize) {
                down.send(Array(bytes[start..<min(bytes.count, start + pieceSize)]), now: now)
            }
        }
        model.toClient = []
    }

    /// Runs until `end`, or until no event is left.
    func run(for duration: Duration, until isDone: () -> Bool = { false }) {
        let end = now + duration
        serve()
        while !isDone() {
            let next = [client.deadline, up.deadline, down.deadline].reduce(nil as Deadline?) { .earliest($0, $1) }
            do {
                guard try time.advance(to: next, until: end) else { return }
            } catch {
                preconditionFailure("\(error)")
            }
            while let bytes = up.deliver(now: now) { model.receive(bytes, now: now) }
            serve()
            while let bytes = down.deliver(now: now) { give(.received(bytes)) }
            client.tick(now: now)
            drain()
        }
    }
}
