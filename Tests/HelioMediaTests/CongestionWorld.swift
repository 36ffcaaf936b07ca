import HelioCore
import HelioMedia

/// A sender that uses all of its controller's target, a path with one queue, and feedback: on virtual time, packet by
/// packet.
struct CongestionWorld {
    struct Path {
        /// The capacity in bits per second.
        var capacity: Double
        /// The one-way delay.
        var delay: Duration
        /// The share of packets lost at random.
        var loss = 0.0
        /// The longest queuing delay.
        var queue = Duration.milliseconds(250)
    }

    struct Sample {
        var at: Instant
        var target: Bitrate
        var queue: Duration
    }

    var controller: CongestionController
    var path: Path
    /// The application's offered bitrate in bits per second; `nil` uses the whole target.
    var offered: Double?
    private(set) var now = Instant(nanoseconds: 1_000_000_000)
    private(set) var samples: [Sample] = []
    private(set) var delivered = 0
    private(set) var padding = 0
    private var random = SeededGenerator(seed: 7)
    private var linkFree = Instant.zero
    /// The results in transit, with the arrival time of their feedback.
    private var results: [PacketResult] = []
    private var lostSince = 0
    private var expectedSince = 0
    private var nextFeedback = Instant.zero
    private var inFlight: [(at: Instant, results: [PacketResult], expected: Int, lost: Int)] = []
    private var debt = 0.0

    private static let step = Duration.milliseconds(1)
    private static let packet = 1200

    init(most: Bitrate, path: Path, offered: Double? = nil) {
        controller = CongestionController(.init(most: most))
        self.path = path
        self.offered = offered
        controller.open(now: now)
        controller.setRoundTrip(path.delay * 2)
    }

    mutating func run(_ duration: Duration) {
        let end = now + duration
        while now < end { step() }
    }

    private mutating func step() {
        now = now + Self.step
        while let first = inFlight.first, first.at <= now {
            inFlight.removeFirst()
            controller.handle(first.results, expected: first.expected, lost: first.lost, now: now)
        }
        controller.tick(now: now)
        if let probe = controller.pollProbe(now: now) {
            var sent = 0
            var at = now
            let size = min(Self.packet, max(200, probe.bytes / max(1, probe.packets)))
            while sent < probe.bytes {
                send(size, at: at, probe: probe.id)
                padding += size
                sent += size
                at = at + .nanoseconds(Int64(Double(size) * 8e9 / Double(probe.rate.bitsPerSecond)))
            }
        }
        let allowed = Double(controller.target.bitsPerSecond)
        debt += min(allowed, offered ?? .infinity) * Self.step.inSeconds / 8
        while debt >= Double(Self.packet) {
            debt -= Double(Self.packet)
            send(Self.packet, at: now, probe: nil)
        }
        if now >= nextFeedback, expectedSince > 0 {
            let arrived = results.filter { $0.arrival.map { $0 <= now } ?? true }
            results.removeAll { $0.arrival.map { $0 <= now } ?? true }
            if !arrived.isEmpty {
                let got = arrived.filter { $0.arrival != nil }
                inFlight.append((now + path.delay, got, arrived.count, arrived.count - got.count))
            }
            nextFeedback = now + .milliseconds(50)
        }
        if samples.last.map({ now - $0.at >= .milliseconds(10) }) ?? true {
            samples.append(Sample(at: now, target: controller.target, queue: max(.zero, linkFree - now)))
        }
    }

    private mutating func send(_ size: Int, at: Instant, probe: UInt32?) {
        controller.sent(size, now: at)
        expectedSince += 1
        let waiting = max(Duration.zero, linkFree - at)
        var arrival: Instant?
        if waiting < path.queue {
            linkFree = max(linkFree, at) + .nanoseconds(Int64(Double(size) * 8e9 / path.capacity))
            if random.unit() >= path.loss {
                arrival = linkFree + path.delay
                delivered += size
            }
        }
        results.append(PacketResult(size: size, sent: at, arrival: arrival, probe: probe))
    }

    /// The mean target from `start` to `end` after the beginning, in bits per second.
    func target(from start: Duration, to end: Duration) -> Double {
        let part = samples.filter { $0.at - samples[0].at >= start && $0.at - samples[0].at < end }
        return part.reduce(0) { $0 + Double($1.target.bitsPerSecond) } / Double(max(1, part.count))
    }

    func queue(_ share: Double, from start: Duration) -> Duration {
        let part = samples.filter { $0.at - samples[0].at >= start }.map(\.queue).sorted()
        return part.isEmpty ? .zero : part[min(part.count - 1, Int(Double(part.count) * share))]
    }
}
