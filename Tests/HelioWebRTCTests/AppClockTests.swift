import HelioCore
import Testing

@testable import HelioWebRTC

@Suite("The clock of an app's stream")
struct AppClockTests {
    private static let start = Instant.zero + .seconds(50)

    @Test("what was captured together is told so, whenever it is sent", arguments: [0, 100_000, -7])
    func together(seconds: Int) {
        let time = Duration.seconds(seconds)
        var clock = AppClock()
        #expect(clock.instant(time, now: Self.start) == Self.start)
        let later = Self.start + .milliseconds(40)
        #expect(clock.instant(time + .milliseconds(40), now: later + .milliseconds(120)) == later)
        #expect(clock.instant(time + .milliseconds(40), now: later + .milliseconds(5)) == later)
    }

    @Test(
        "an app that counts anew is followed",
        arguments: [Duration.seconds(11), .seconds(-11), .seconds(2_000_000_000), .seconds(-2_000_000_000)])
    func jumps(jump: Duration) {
        var clock = AppClock()
        _ = clock.instant(.zero, now: Self.start)
        #expect(clock.instant(jump, now: Self.start) == Self.start)
        let later = Self.start + .milliseconds(20)
        #expect(clock.instant(jump + .milliseconds(20), now: later + .milliseconds(5)) == later)
    }
}
