import HelioCore
import Testing

@testable import HelioSession

@Suite("Files make way for pictures")
struct FilePaceTests {
    /// A path whose queue is the granted bytes in excess of its rate (bytes a second); its round trip is measured at
    /// intervals.
    private struct Path {
        var rate: Double
        /// The largest random addition to each round trip.
        var jitter = Duration.zero
        var measuring = Duration.milliseconds(50)
        var queue = 0.0
        private var generator = SeededGenerator(seed: 7)

        init(rate: Double, jitter: Duration = .zero, measuring: Duration = .milliseconds(50)) {
            (self.rate, self.jitter, self.measuring) = (rate, jitter, measuring)
        }

        /// Takes all that the allowance permits for a time.
        ///
        /// - Returns: the granted bytes, and the longest queuing delay.
        mutating func run(
            _ allowance: inout FileAllowance, from start: Instant, _ time: Duration
        ) -> (bytes: Int, longest: Duration) {
            var now = start
            var (bytes, longest) = (0, Duration.zero)
            var measured: MeasuredRoundTrip?
            while now - start < time {
                queue = max(0, queue - rate * 0.001)
                let waits = Duration.seconds(queue / rate)
                longest = max(longest, waits)
                let number = Int((now - .zero) / measuring) + 1
                if number != measured?.number {
                    let chance = jitter * Double.random(in: 0...1, using: &generator)
                    measured = MeasuredRoundTrip(time: .milliseconds(20) + waits + chance, number: number)
                }
                while let granted = allowance.grant(room: 32 << 10, roundTrip: measured, now: now) {
                    bytes += granted
                    queue += Double(granted)
                    allowance.use(granted)
                }
                now = now + .milliseconds(1)
            }
            return (bytes, longest)
        }
    }

    @Test(
        "a fast path is used, and a slow one is not filled; what comes by chance holds up nothing",
        arguments: [50e6, 1.25e6, 125e3], [Duration.zero, .milliseconds(8)])
    func path(rate: Double, jitter: Duration) {
        var allowance = FileAllowance(now: .zero)
        var path = Path(rate: rate, jitter: jitter)
        _ = path.run(&allowance, from: .zero, .seconds(20))
        let (bytes, longest) = path.run(&allowance, from: .zero + .seconds(20), .seconds(20))
        // Random delay is distinguished from a queue only after a while.
        #expect(Double(bytes) > (jitter == .zero ? 0.6 : 0.3) * 20 * rate, "\(bytes) of \(20 * rate)")
        #expect(longest < .milliseconds(40), "\(longest)")
    }

    @Test("an older end is measured by the second: what it may not take is noticed later")
    func seldom() {
        var allowance = FileAllowance(now: .zero)
        var path = Path(rate: 1.25e6, measuring: .seconds(1))
        _ = path.run(&allowance, from: .zero, .seconds(60))
        let (bytes, longest) = path.run(&allowance, from: .zero + .seconds(60), .seconds(60))
        #expect(Double(bytes) > 0.3 * 60 * path.rate, "\(bytes)")
        #expect(longest < .milliseconds(200), "\(longest)")
    }

    @Test("what is long whether files go or not does not stop them for good")
    func foreign() {
        var allowance = FileAllowance(now: .zero)
        var path = Path(rate: 10e6)
        _ = path.run(&allowance, from: .zero, .seconds(5))
        // From here on each round trip is longer, as on a busy machine.
        var now = Instant.zero + .seconds(5)
        var bytes = 0
        for step in 0..<20_000 {
            let measured = MeasuredRoundTrip(time: .milliseconds(28), number: 10_000 + step / 50)
            while let granted = allowance.grant(room: 32 << 10, roundTrip: measured, now: now) {
                if step >= 10_000 { bytes += granted }
                allowance.use(granted)
            }
            now = now + .milliseconds(1)
        }
        #expect(bytes > 10_000_000, "\(bytes)")
    }

    @Test("without a known round trip it goes slowly, and no more is outstanding than the window")
    func unknown() {
        var allowance = FileAllowance(now: .zero)
        #expect(allowance.grant(room: 1 << 20, roundTrip: nil, now: .zero) == 16 << 10)
        var outstanding = 16 << 10
        for second in 1...20 {
            while let more = allowance.grant(room: 1 << 20, roundTrip: nil, now: .zero + .seconds(second)) {
                outstanding += more
            }
        }
        #expect((30 << 10...32 << 10).contains(outstanding))
        allowance.use(32 << 10)
        #expect(allowance.grant(room: 1000, roundTrip: nil, now: .zero + .seconds(21)) == nil, "the channel is full")
        #expect(allowance.deadline == nil, "the channel says when it has room")
        let second = allowance.grant(room: 1 << 20, roundTrip: nil, now: .zero + .seconds(21))
        #expect(second.map { (1...16 << 10).contains($0) } == true, "no more at once than the rate has in a moment")
        #expect(allowance.grant(room: 1 << 20, roundTrip: nil, now: .zero + .seconds(21)) == nil)
        #expect(allowance.deadline.map { $0.at > .zero + .seconds(21) } == true)
    }
}
