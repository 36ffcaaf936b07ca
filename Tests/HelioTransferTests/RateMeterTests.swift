import HelioCore
import Testing

@testable import HelioTransfer

struct RateMeterTests {
    @Test("The rate is the mean of the last seconds")
    func mean() {
        var meter = RateMeter()
        #expect(meter.rate == 0)
        var total: UInt64 = 0
        for step in 0...400 {
            meter.note(total, now: .zero + .milliseconds(step * 50))
            total += step < 200 ? 1000 : 5000
        }
        #expect((90_000...110_000).contains(meter.rate))
    }

    @Test("Where less is done than before it begins anew")
    func back() {
        var meter = RateMeter()
        meter.note(1_000_000, now: .zero)
        meter.note(2_000_000, now: .zero + .seconds(1))
        meter.note(500_000, now: .zero + .seconds(2))
        #expect(meter.rate == 0)
        meter.note(600_000, now: .zero + .seconds(3))
        #expect(meter.rate == 100_000)
    }
}
