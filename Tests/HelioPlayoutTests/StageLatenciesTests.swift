import HelioCore
import HelioPlayout
import Testing

@Suite struct StageLatenciesTests {
    private func ms(_ n: Int) -> Instant { .zero + .milliseconds(n) }

    @Test func stagesAddUpToTheTotal() throws {
        let offset = Duration.seconds(1000)
        let timing = FrameTiming(
            damaged: ms(0) + offset, captured: ms(1) + offset, converted: ms(3) + offset, encoded: ms(8) + offset)
        let frame = ReceivedFrame(
            annexB: [], mediaTime: 0, frameIndex: 0, isKeyframe: true, firstArrival: ms(11), completed: ms(14),
            sourceTiming: timing, sent: ms(9) + offset)
        var latencies = StageLatencies()
        var clocks = ClockEstimator()
        clocks.add(t1: ms(0), t2: ms(0) + offset, t3: ms(0) + offset, t4: ms(0))
        let clock = clocks.estimate(now: ms(0))
        latencies.record(FrameStages(frame, decoded: ms(20), presented: ms(30), clock: clock))
        let expected: [(StageLatencies.Stage, Int)] = [
            (.capture, 1), (.convert, 2), (.encode, 5), (.send, 1), (.network, 5), (.reassemble, 3), (.decode, 6),
            (.present, 10), (.total, 30),
        ]
        #expect(expected.map(\.0) == StageLatencies.Stage.allCases)
        for (stage, milliseconds) in expected {
            let summary = try #require(latencies.summary(of: stage))
            #expect(summary.most == .milliseconds(milliseconds))
            #expect(summary.count == 1)
        }
        #expect(expected.filter { $0.0 != .reassemble && $0.0 != .total }.map(\.1).reduce(0, +) == 30)
        latencies.reset()
        #expect(latencies.summary(of: .total) == nil)
    }

    @Test func untoldStagesAreLeftOut() {
        let frame = ReceivedFrame(
            annexB: [], mediaTime: 0, frameIndex: 0, isKeyframe: true, firstArrival: ms(11), completed: ms(14))
        var latencies = StageLatencies()
        latencies.record(FrameStages(frame, decoded: ms(20), presented: ms(30), clock: nil))
        let told = StageLatencies.Stage.allCases.filter { latencies.summary(of: $0) != nil }
        #expect(told == [.reassemble, .decode, .present])
    }

    @Test(arguments: [(0.5, 50_000.0), (0.95, 95_000), (0.99, 99_000), (1, 100_000)])
    func percentilesAreRightToWithinABucket(share: Double, microseconds: Double) throws {
        var histogram = LatencyHistogram()
        for value in 1...100_000 { histogram.record(.microseconds(value)) }
        let found = try #require(histogram.percentile(share)).milliseconds * 1000
        #expect(abs(found / microseconds - 1) < 0.04)
    }

    @Test(arguments: [0, 1, 15, 16, 17, 31, 32, 33, 1000, 65_535, 65_536, 500_000_000])
    func eachSizeFallsIntoABucketOfItsOwnSize(microseconds: Int) throws {
        var histogram = LatencyHistogram()
        histogram.record(.microseconds(microseconds))
        histogram.record(.seconds(1000))
        let found = try #require(histogram.percentile(0.5)).milliseconds * 1000
        #expect(abs(found - Double(microseconds)) <= max(0.5, Double(microseconds) * 0.04))
    }

    @Test func extremesAreHarmless() {
        var histogram = LatencyHistogram()
        #expect(histogram.percentile(0.5) == nil)
        histogram.record(.seconds(-5))
        histogram.record(.seconds(1_000_000))
        #expect(histogram.percentile(0) ?? .seconds(1) < .microseconds(1))
        #expect(histogram.most == .seconds(1_000_000))
    }
}
