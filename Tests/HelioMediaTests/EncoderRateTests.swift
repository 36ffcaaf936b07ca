import HelioCore
import HelioMedia
import Testing

@Suite("The rate of an encoder that serves many")
struct EncoderRateTests {
    private static func at(_ milliseconds: Int) -> Instant { .zero + .seconds(100) + .milliseconds(milliseconds) }

    @Test(
        "whatever is said is kept to what was agreed on",
        arguments: [
            (0, 300_000), (1, 300_000), (999, 300_000), (299_999, 300_000), (5_000_000, 5_000_000), (-1, 300_000),
        ])
    func bounds(said: Int, told: Int) {
        var rate = EncoderRate(agreed: .megabits(20))
        rate.want(Bitrate(bitsPerSecond: said))
        #expect(rate.poll(now: Self.at(0)) == Bitrate(bitsPerSecond: told))
    }

    @Test("more than was agreed on is what was agreed on; less than the least was agreed on stays so")
    func ceiling() {
        var rate = EncoderRate(agreed: .megabits(20))
        rate.want(Bitrate(bitsPerSecond: .max))
        #expect(rate.poll(now: Self.at(0)) == nil && rate.current == .megabits(20))
        var low = EncoderRate(agreed: .kilobits(10))
        for said in [0, 10_000, 400_000, .max] {
            low.want(Bitrate(bitsPerSecond: said))
            #expect(low.poll(now: Self.at(0)) == nil && low.current == .kilobits(10) && low.deadline == nil)
        }
    }

    @Test("a change of less than a tenth is none")
    func hysteresis() {
        var rate = EncoderRate(agreed: .megabits(20))
        rate.want(.megabits(10))
        #expect(rate.poll(now: Self.at(0)) == .megabits(10))
        for said in [9_000_001, 10_999_999, 10_000_001] {
            rate.want(Bitrate(bitsPerSecond: said))
            #expect(rate.poll(now: Self.at(5000)) == nil && rate.deadline == nil)
        }
        rate.want(.megabits(9))
        #expect(rate.poll(now: Self.at(5000)) == .megabits(9))
    }

    @Test("changes come half a second apart, the last word counts, and a fall to half comes sooner")
    func spacing() {
        var rate = EncoderRate(agreed: .megabits(20))
        rate.want(.megabits(10))
        #expect(rate.poll(now: Self.at(0)) == .megabits(10))
        rate.want(.megabits(8))
        #expect(rate.poll(now: Self.at(499)) == nil && rate.deadline?.at == Self.at(500))
        rate.want(.megabits(7))
        #expect(rate.poll(now: Self.at(500)) == .megabits(7))
        rate.want(.megabits(3))
        #expect(rate.poll(now: Self.at(599)) == nil && rate.deadline?.at == Self.at(600))
        #expect(rate.poll(now: Self.at(600)) == .megabits(3))
        rate.want(nil)
        #expect(rate.poll(now: Self.at(1099)) == nil)
        #expect(rate.poll(now: Self.at(1100)) == .megabits(20), "nobody says anything any more")
    }

    @Test("a lower agreement counts at once and needs no word; a higher one leaves what the paths carry")
    func agreement() {
        var rate = EncoderRate(agreed: .megabits(20))
        rate.want(.megabits(10))
        _ = rate.poll(now: Self.at(0))
        rate.agree(on: .megabits(4))
        #expect(rate.current == .megabits(4) && rate.poll(now: Self.at(1000)) == nil)
        rate.agree(on: .megabits(20))
        #expect(rate.current == .megabits(4))
        rate.want(.megabits(10))
        #expect(rate.poll(now: Self.at(1000)) == .megabits(10))
    }

    @Test("what is said is kept to another least where one was set")
    func least() {
        var rate = EncoderRate(agreed: .megabits(20), least: .kilobits(150))
        rate.want(.kilobits(20))
        #expect(rate.poll(now: Self.at(0)) == .kilobits(150))
    }
}
