import HelioAppleMedia
import HelioCore
import Testing

@Suite("How often a stream captures")
struct CaptureRateTests {
    @Test("the rate falls while most pictures are replaced, and rises once there is room")
    func adapts() {
        var rate = CaptureRate(ceiling: 60, now: .zero)
        var (arrived, replaced, changes) = (0, 0, [Int]())
        for second in 1...20 {
            arrived += 60
            replaced += second <= 6 ? 30 : 0
            if rate.observe(arrived: arrived, replaced: replaced, now: .zero + .seconds(second)) {
                changes.append(rate.framesPerSecond)
            }
        }
        #expect(changes == [45, 30, 45, 60])
    }

    @Test("a few replaced pictures of a screen that is nearly still say nothing")
    func still() {
        var rate = CaptureRate(ceiling: 60, now: .zero)
        for second in 1...10 {
            let changed = rate.observe(arrived: second * 4, replaced: second * 3, now: .zero + .seconds(second))
            #expect(!changed)
        }
    }

    @Test("odd ceilings have sensible steps", arguments: [(0, 1), (1, 1), (30, 30), (40, 30), (1000, 120)])
    func ceilings(ceiling: Int, lowest: Int) {
        var rate = CaptureRate(ceiling: ceiling, now: .zero)
        for second in 1...20 {
            _ = rate.observe(arrived: second * 60, replaced: second * 60, now: .zero + .seconds(second))
        }
        #expect(rate.framesPerSecond == lowest)
    }
}
