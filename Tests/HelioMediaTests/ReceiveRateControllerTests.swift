import HelioCore
import HelioMedia
import Testing

@Suite struct ReceiveRateControllerTests {
    /// A controller and its received stream.
    private struct Listener {
        var controller = ReceiveRateController(configuration: .init(most: .megabits(8)))
        var now = Instant.zero
        var expected = 0
        var lost = 0

        /// Receives a second of `packets`, a share of which is lost; the others have a delay of `delay`.
        mutating func second(
            packets: Int, loss: Double = 0, delay: Duration = .milliseconds(10)
        )
            -> ReceiveRateController.Reason?
        {
            let missing = Int((Double(packets) * loss).rounded())
            for index in 0..<packets {
                now = now + .nanoseconds(1_000_000_000 / Int64(packets) + 1)
                // The source's clock has another epoch.
                if index < packets - missing {
                    controller.received(bytes: 1000, sent: now - delay + .seconds(5000), arrival: now)
                }
            }
            expected += packets
            lost += missing
            now = now + .milliseconds(5)
            return controller.evaluate(expected: expected, lost: lost, now: now)
        }
    }

    @Test func heavyLossCutsByHalfOfIt() {
        var listener = Listener()
        let reason = listener.second(packets: 1000, loss: 0.2)
        #expect(reason == .loss)
        #expect(listener.controller.suggestion == Bitrate(bitsPerSecond: 7_200_000))
    }

    @Test func moreThanATenthIsHeavy() {
        var listener = Listener()
        let reason = listener.second(packets: 1000, loss: 0.11)
        #expect(reason == .loss)
        #expect(listener.controller.suggestion == Bitrate(bitsPerSecond: 7_560_000))
    }

    @Test func itGrowsByEightPercentASecond() {
        var listener = Listener()
        _ = listener.second(packets: 1000, loss: 0.2)
        let reason = listener.second(packets: 1000)
        #expect(reason == .growth)
        #expect((7_760_000...7_790_000).contains(listener.controller.suggestion.bitsPerSecond))
    }

    @Test(arguments: [0.02, 0.05, 0.1])
    func someLossChangesNothing(share: Double) {
        var listener = Listener()
        let reason = listener.second(packets: 1000, loss: share)
        #expect(reason == nil)
        #expect(listener.controller.suggestion == .megabits(8))
    }

    @Test func itComesBackAndStopsAtTheCeiling() {
        var listener = Listener()
        for _ in 0..<5 { _ = listener.second(packets: 500, loss: 0.5) }
        let low = listener.controller.suggestion
        #expect(low < .megabits(2))
        var seconds = 0
        while listener.second(packets: 500) == .growth { seconds += 1 }
        #expect(listener.controller.suggestion == .megabits(8))
        #expect((10...30).contains(seconds))
    }

    /// peers.md ask 33: 5 of 22 packets lost is a share of 22.7 % but not significant.
    @Test func fewPacketsAreNotBelieved() {
        var listener = Listener()
        let reason = listener.second(packets: 22, loss: 0.227)
        #expect(reason == nil)
        #expect(listener.controller.suggestion == .megabits(8))
        // With the following packets, 5 of 522 are lost.
        let next = listener.second(packets: 500)
        #expect(next == nil)
        #expect(listener.controller.suggestion == .megabits(8))
    }

    @Test func nothingIsJudgedBeforeTheIntervalIsOver() {
        var controller = ReceiveRateController(configuration: .init(most: .megabits(8)))
        for index in 0..<500 {
            controller.received(bytes: 1000, sent: nil, arrival: .zero + .milliseconds(index))
        }
        #expect(controller.evaluate(expected: 1000, lost: 500, now: .zero + .milliseconds(999)) == nil)
        #expect(controller.evaluate(expected: 1000, lost: 500, now: .zero + .milliseconds(1000)) == .loss)
    }

    @Test func aStandingQueueIsHeardBeforeItOverflows() {
        var listener = Listener()
        for _ in 0..<3 { _ = listener.second(packets: 500) }
        let reason = listener.second(packets: 500, delay: .milliseconds(100))
        #expect(reason == .delay)
        #expect(listener.controller.suggestion == .megabits(4))
    }

    @Test func aLongerWayIsGotUsedTo() {
        var listener = Listener()
        for _ in 0..<3 { _ = listener.second(packets: 500) }
        var last: ReceiveRateController.Reason?
        for _ in 0..<200 { last = listener.second(packets: 500, delay: .milliseconds(150)) }
        #expect(last != .delay)
        #expect(listener.controller.suggestion > .megabits(7))
    }

    /// Timestamps of a source's clock are arbitrary, and none of them may crash the sink.
    private static let extremes: [(Int64, Int64)] = [
        (.min, .max), (.max, .min), (.min, .min), (0, .min), (.min, 0), (.max / 2 + 1, .min / 2 - 1),
    ]

    @Test(arguments: extremes) func aClockThatSaysAnything(first: Int64, second: Int64) {
        var controller = ReceiveRateController(configuration: .init(most: .megabits(8)))
        var now = Instant.zero
        for (number, sent) in [first, second, first, second].enumerated() {
            for _ in 0..<100 {
                now = now + .milliseconds(11)
                controller.received(bytes: 1000, sent: Instant(nanoseconds: sent), arrival: now)
            }
            _ = controller.evaluate(expected: (number + 1) * 100, lost: 0, now: now)
        }
        #expect((Bitrate.kilobits(300)...(.megabits(8))).contains(controller.suggestion))
    }

    @Test func neverBelowTheLeast() {
        var listener = Listener()
        for _ in 0..<100 { _ = listener.second(packets: 200, loss: 0.9) }
        #expect(listener.controller.suggestion == .kilobits(300))
    }

    @Test func anotherCeilingIsFollowedWhereNothingElseHeldBack() {
        var free = ReceiveRateController(configuration: .init(most: .megabits(8)))
        free.setMost(.megabits(20))
        #expect(free.suggestion == .megabits(20))
        free.setMost(.megabits(2))
        #expect(free.suggestion == .megabits(2))
        var listener = Listener()
        _ = listener.second(packets: 1000, loss: 0.2)
        listener.controller.setMost(.megabits(20))
        #expect(listener.controller.suggestion == Bitrate(bitsPerSecond: 7_200_000))
        listener.controller.setMost(.megabits(1))
        #expect(listener.controller.suggestion == .megabits(1))
    }
}
