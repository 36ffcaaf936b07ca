import HelioCore
import HelioMedia
import Testing

@Suite struct ClockEstimatorTests {
    private let offset = Duration.seconds(123_456)

    @Test func aSymmetricExchangeIsExact() {
        var clock = ClockEstimator()
        #expect(clock.estimate(now: .zero) == nil)
        let t1 = Instant.zero + .seconds(1)
        let t2 = t1 + .milliseconds(5) + offset
        clock.add(t1: t1, t2: t2, t3: t2 + .milliseconds(2), t4: t1 + .milliseconds(12))
        let now = t1 + .milliseconds(12)
        let estimate = clock.estimate(now: now)
        #expect(estimate?.offset == offset)
        #expect(estimate?.roundTrip == .milliseconds(10))
        #expect(estimate?.error == .milliseconds(5))
        #expect(clock.sinkInstant(of: t2, now: now) == t1 + .milliseconds(5))
    }

    /// Hours of exchanges on a path with a delay in only one direction, with clocks that drift by 50 ppm.
    @Test(arguments: [-50.0, 0, 50], 0..<3 as Range<UInt64>)
    func theErrorKeepsToItsBoundForHours(drift: Double, seed: UInt64) {
        var clock = ClockEstimator()
        var random = SeededGenerator(seed: seed)
        var worst = Duration.zero
        func source(_ instant: Instant) -> Instant {
            instant + offset + .nanoseconds(Int64(Double(instant.nanoseconds) * drift / 1e6))
        }
        for second in 0..<4 * 3600 {
            let t1 = Instant.zero + .seconds(second)
            let there = Duration.nanoseconds(1_000_000 + Int64(random.unit() * random.unit() * 80_000_000))
            let back = Duration.nanoseconds(1_000_000 + Int64(random.unit() * random.unit() * 5_000_000))
            let t4 = t1 + there + back
            clock.add(t1: t1, t2: source(t1 + there), t3: source(t1 + there), t4: t4)
            guard let estimate = clock.estimate(now: t4) else { continue }
            let wrong = estimate.offset - (source(t4) - t4)
            let size = max(wrong, .zero - wrong)
            guard size <= estimate.error + .microseconds(1) else {
                Issue.record("wrong by \(size), said \(estimate.error)")
                return
            }
            if second > 60 { worst = max(worst, size) }
        }
        #expect(worst < .milliseconds(12))
    }

    @Test func impossibleReadingsAreNotBelieved() {
        var clock = ClockEstimator()
        let zero = Instant.zero
        let later = zero + .seconds(1)
        let believed = [
            clock.add(t1: zero, t2: zero, t3: zero - .seconds(1), t4: later),
            clock.add(t1: zero, t2: zero, t3: zero, t4: zero - .seconds(1)),
            clock.add(t1: zero, t2: zero, t3: zero + .seconds(2), t4: later),
            clock.add(t1: later, t2: Instant(nanoseconds: .min), t3: Instant(nanoseconds: .max), t4: later),
        ]
        #expect(believed == [false, false, false, false])
        #expect(clock.estimate(now: zero) == nil)
    }
}
