import HelioAndroid
import HelioCore
import Testing

@Suite("The clock of a phone's media")
struct PhoneClockTests {
    private static func at(_ milliseconds: Int64) -> Instant { .zero + .milliseconds(milliseconds) }

    @Test("a picture that its encoder held back, and the sound of that instant, are of one instant here")
    func oneInstant() {
        var clock = PhoneClock()
        // The phone's clock is 500 ms behind; sound takes 10 ms, and the picture 45.
        #expect(clock.instant(of: 1_000_000, .picture, now: Self.at(1545)) == Self.at(1545))
        #expect(clock.instant(of: 1_000_000, .sound, now: Self.at(1510)) == Self.at(1510))
        #expect(clock.instant(of: 2_000_000, .picture, now: Self.at(2545)) == Self.at(2510))
        #expect(clock.instant(of: 2_000_000, .sound, now: Self.at(2512)) == Self.at(2510))
    }

    @Test("media by clocks of their own are not mixed", arguments: [-7_200_000_000, 7_200_000_000] as [Int64])
    func twoClocks(apart: Int64) {
        var clock = PhoneClock()
        #expect(clock.instant(of: 1_000_000, .picture, now: Self.at(1020)) == Self.at(1020))
        #expect(clock.instant(of: 1_000_000 + apart, .sound, now: Self.at(1010)) == Self.at(1010))
        #expect(clock.instant(of: 1_500_000, .picture, now: Self.at(1520)) == Self.at(1520))
        #expect(clock.instant(of: 1_500_000 + apart, .sound, now: Self.at(1510)) == Self.at(1510))
    }

    @Test("no time is in the future", arguments: [1, 2, 3] as [UInt64])
    func never(seed: UInt64) {
        var (clock, random) = (PhoneClock(), SeededGenerator(seed: seed))
        for now in (0..<1000).map({ Self.at($0 * 10) }) {
            for medium in PhoneClock.Medium.allCases {
                let time = Int64.random(in: -1_000_000_000...1_000_000_000, using: &random)
                #expect(clock.instant(of: time, medium, now: now) <= now)
            }
        }
    }
}
