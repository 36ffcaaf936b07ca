import HelioCore
import HelioOpenSSL
import HelioProtection
import HelioRendezvous
import HelioRendezvousWire

/// One instance of a server on virtual time, with the test as its devices, its store and its bus.
final class ServerStage {
    static let crypto = OpenSSLCrypto()
    static let authority = "meet.example:443"
    static let home = IPAddress.v4(0xC000_0201)

    private var server: RendezvousServer
    private(set) var now: Instant
    private var sent: [ConnectionID: [ServerFrame]] = [:]
    private(set) var closed: Set<ConnectionID> = []
    private(set) var events: [RendezvousServer.Event] = []
    private(set) var orders: [RendezvousServer.StoreOrder] = []
    private var bus: [BusOrder] = []
    private var lastConnection: UInt64 = 0
    private var nonces: [ConnectionID: [UInt8]] = [:]

    init(seed: UInt64 = 1, now: Instant = .zero, _ change: (inout RendezvousServer.Settings) -> Void = { _ in }) {
        var settings = RendezvousServer.Settings()
        change(&settings)
        self.now = now
        server = RendezvousServer(
            settings, verifier: ToyVerifier(), crypto: Self.crypto, random: SeededGenerator(seed: seed), now: now)
        server.tick(now: now)
        drain()
    }

    /// A host that a viewer has rung.
    static func connected(
        from address: IPAddress = .v4(0xC633_6407),
        _ change: (inout RendezvousServer.Settings) -> Void = { _ in }
    ) throws -> (stage: ServerStage, host: ConnectionID, viewer: ConnectionID) {
        let stage = ServerStage(change)
        let host = try stage.host(1)
        let viewer = stage.open(from: address)
        stage.send(try ring(1), from: viewer)
        return (stage, host, viewer)
    }

    var statistics: RendezvousServer.Statistics { server.statistics }
    var drops: DropCounter<RendezvousServerDrop> { server.statistics.drops }
    var deadline: Instant? { server.deadline?.at }

    func feed(_ input: RendezvousServer.Input) {
        server.handle(input, now: now)
        drain()
    }

    /// Lets time pass, with a tick at each deadline.
    func pass(_ time: Duration) {
        let end = now + time
        while let next = deadline, next <= end {
            now = max(now, next)
            server.tick(now: now)
            drain()
        }
        now = end
    }

    // MARK: Devices

    /// Opens a connection, and takes its challenge.
    func open(from address: IPAddress = home) -> ConnectionID {
        lastConnection += 1
        let id = ConnectionID(lastConnection)
        feed(.opened(id, address, authority: Self.authority))
        if case .challenge(_, let nonce) = sent[id]?.first {
            nonces[id] = nonce
            sent[id]?.removeFirst()
        }
        return id
    }

    func nonce(of id: ConnectionID) -> [UInt8] { nonces[id] ?? [] }

    /// The registration of a device on a connection.
    func registration(of number: UInt8, on id: ConnectionID, authority: String = authority) throws -> ClientFrame {
        let signer = ToySigner(number)
        let text = RegistrationText.bytes(authority: authority, nonce: nonce(of: id))
        return .register(publicKey: signer.publicKey, signature: try signer.sign(text))
    }

    /// Opens a connection, registers a device and publishes the permits for its tokens.
    func host(_ number: UInt8, permits: [Permit]? = nil) throws -> ConnectionID {
        let id = open()
        send(try registration(of: number, on: id), from: id)
        send(.permit(try permits ?? [Permit(tag: Self.tag(of: number), seconds: 0)]), from: id)
        _ = take(id)
        return id
    }

    func send(_ frame: ClientFrame, from id: ConnectionID) { feed(.received(id, frame.serialised())) }

    /// The frames to a connection since the last call.
    func take(_ id: ConnectionID) -> [ServerFrame] {
        defer { sent[id] = [] }
        return sent[id] ?? []
    }

    func takeOrders() -> [RendezvousServer.StoreOrder] {
        defer { orders = [] }
        return orders
    }

    func takeBus() -> [BusOrder] {
        defer { bus = [] }
        return bus
    }

    // MARK: Names

    static func device(_ number: UInt8) throws -> RendezvousID {
        try CallKeys.device(of: ToySigner(number).publicKey, crypto)
    }

    /// The token of the viewer that is paired with a device.
    static func token(of number: UInt8) throws -> RingToken {
        try CallKeys.token(of: SecretBytes([UInt8](repeating: number, count: 16)), for: SealedEnd.device, crypto)
    }

    static func tag(of number: UInt8) throws -> RingTag { try CallKeys.tag(of: token(of: number), crypto) }

    static func ring(_ number: UInt8, as call: UInt32 = 1) throws -> ClientFrame {
        .ring(CallNumber(call), try device(number), try token(of: number))
    }

    /// The server's number of a host's call.
    static func served(_ number: UInt32) -> CallNumber { CallNumber(CallNumber.serversBit | number) }

    private func drain() {
        while let output = server.poll() {
            switch output {
            case .send(let id, let bytes):
                if let frame = try? ServerFrame.parse(bytes.span.bytes) { sent[id, default: []].append(frame) }
            case .close(let id): closed.insert(id)
            case .bus(let order): bus.append(order)
            case .store(let order): orders.append(order)
            case .event(let event): events.append(event)
            }
        }
    }
}
