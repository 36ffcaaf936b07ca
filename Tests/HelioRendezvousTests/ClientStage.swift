import HelioCore
import HelioRendezvous
import HelioRendezvousWire

/// A client on virtual time, with the test as its server.
final class ClientStage {
    static let device = RendezvousID([UInt8](repeating: 7, count: 16))!
    static let token = RingToken([UInt8](repeating: 9, count: 16))!
    static let tag = RingTag([UInt8](repeating: 5, count: 16))!
    static let nonce = [UInt8](repeating: 3, count: 32)
    static let authority = "meet.example:443"

    private var client: RendezvousClient
    private(set) var now = Instant.zero
    private(set) var events: [RendezvousClient.Event] = []
    private(set) var sent: [ClientFrame] = []
    /// The number of `connect` and `close` outputs.
    private(set) var connects = 0
    private(set) var closes = 0

    init(registers: Bool = true, signer: (any DeviceSigner)? = ToySigner(1), seed: UInt64 = 1) {
        let settings = RendezvousClient.Settings(authority: Self.authority, registers: registers)
        client = RendezvousClient(settings, signer: signer, seed: seed, now: .zero)
        client.tick(now: now)
        drain()
    }

    var drops: DropCounter<RendezvousClientDrop> { client.drops }
    var isOnline: Bool { client.isOnline }
    var callCount: Int { client.callCount }
    var deadline: Instant? { client.deadline?.at }

    /// The wait of the last `offline` event.
    var lastWait: Duration? {
        events.last { if case .offline = $0 { true } else { false } }.flatMap {
            if case .offline(let wait) = $0 { wait } else { nil }
        }
    }

    func feed(_ input: RendezvousClient.Input) {
        client.handle(input, now: now)
        drain()
    }

    func receive(_ frames: ServerFrame...) {
        for frame in frames { feed(.received(frame.serialised())) }
    }

    /// Lets time pass, with a tick at each deadline.
    func pass(_ time: Duration) {
        let end = now + time
        while let next = deadline, next <= end {
            now = max(now, next)
            client.tick(now: now)
            drain()
        }
        now = end
    }

    /// Connects and registers, from `connecting` on.
    func comeOnline() {
        feed(.connected)
        receive(.challenge(version: 1, nonce: Self.nonce))
        if sent.last.map({ if case .register = $0 { true } else { false } }) ?? false {
            receive(.registered(Self.device))
        }
    }

    func takeSent() -> [ClientFrame] {
        defer { sent = [] }
        return sent
    }

    func takeEvents() -> [RendezvousClient.Event] {
        defer { events = [] }
        return events
    }

    private func drain() {
        while let output = client.poll() {
            switch output {
            case .connect: connects += 1
            case .close: closes += 1
            case .send(let bytes): if let frame = try? ClientFrame.parse(bytes.span.bytes) { sent.append(frame) }
            case .event(let event): events.append(event)
            }
        }
    }
}
