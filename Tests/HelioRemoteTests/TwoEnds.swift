import HelioControlWire
import HelioCore
import HelioRemote

/// A sender and a receiver connected by two lossy channels, stepped from deadline to deadline.
struct TwoEnds: ~Copyable {
    var sender: ControlSender
    var receiver: ControlReceiver
    var up: LossyChannel
    var down: LossyChannel
    var now = Instant(nanoseconds: 1_000_000_000)
    var generator: SeededGenerator
    /// The injected input in order, with times.
    var injected: [(at: Instant, input: InjectedInput)] = []
    /// The receiver's outputs about taking and handing over control.
    var wishes: [ControlReceiver.Output] = []
    /// The motion and events of all sent input datagrams, with times.
    var sent: [(at: Instant, input: ControlInput)] = []

    static let size = PixelSize(width: 1920, height: 1080)

    init(
        loss: Double = 0, seed: UInt64 = 1, sender: ControlSender.Configuration = .init(),
        receiver: ControlReceiver.Configuration = .init()
    ) {
        self.sender = ControlSender(sender)
        self.receiver = ControlReceiver(mapper: CoordinateMapper(size: Self.size), receiver)
        up = LossyChannel(loss: loss)
        down = LossyChannel(loss: loss)
        generator = SeededGenerator(seed: seed)
    }

    mutating func act(_ event: InputEvent) {
        sender.handle(.event(event), now: now)
        drain()
    }

    /// Runs until `end`, or until nothing is left to acknowledge.
    mutating func run(until end: Instant, stopWhenIdle: Bool = false) {
        drain()
        while !(stopWhenIdle && sender.isIdle && up.next == nil) {
            let times = [sender.deadline?.at, receiver.deadline?.at, up.next, down.next].compactMap { $0 }
            guard let next = times.min(), next <= end else { break }
            now = max(now, next)
            while let bytes = up.receive(at: now) { receiver.handle(.datagram(bytes), now: now) }
            while let bytes = down.receive(at: now) {
                if let message = try? ControlMessage(parsing: bytes.span.bytes),
                    case .acknowledgement(let ack) = message
                {
                    sender.handle(.acknowledged(ack), now: now)
                }
            }
            sender.tick(now: now)
            receiver.tick(now: now)
            drain()
        }
        if !stopWhenIdle { now = end }
    }

    mutating func run(for duration: Duration) { run(until: now + duration) }

    private mutating func drain() {
        while case .datagram(let bytes)? = sender.poll() {
            if let message = try? ControlMessage(parsing: bytes.span.bytes), case .input(let input) = message {
                sent.append((now, input))
            }
            up.send(bytes, at: now, &generator)
        }
        while let output = receiver.poll() {
            switch output {
            case .inject(let input): injected.append((now, input))
            case .requestControl, .handOver, .selectMonitor: wishes.append(output)
            case .datagram(let bytes): down.send(bytes, at: now, &generator)
            }
        }
    }

    var inputs: [InjectedInput] { injected.map(\.input) }
}
