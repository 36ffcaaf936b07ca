import HelioCore
import Testing

@testable import HelioMedia

struct AcknowledgedRateTests {
    @Test("an arrival that is older than the window does not count")
    func lateArrival() throws {
        var rate = AcknowledgedRate(window: .seconds(1))
        for count in 0...10 { rate.note(1000, at: .zero + .milliseconds(5000 + 100 * count)) }
        let before = try #require(rate.rate)
        #expect(before == Bitrate(bitsPerSecond: 80_000))
        rate.note(100_000, at: .zero + .seconds(1))
        #expect(rate.rate == before)
    }
}
