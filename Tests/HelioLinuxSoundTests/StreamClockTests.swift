import HelioCore
import Testing

@testable import HelioLinuxSound

@Suite struct StreamClockTests {
    @Test("what is told with jitter becomes a steady line")
    func jitter() {
        var generator = SeededGenerator(seed: 19)
        var clock = StreamClock(.standard)
        var last: Instant?
        for number in 0..<600 {
            let frame = Int64(number) * 4800
            // The clock is 100 ppm slow, and observations are up to 2 ms late.
            let truth = Instant(nanoseconds: Int64(number) * 100_010_000)
            clock.observe(frame: frame, at: truth + .microseconds(Int.random(in: 0...2000, using: &generator)))
            guard number > 30 else { continue }
            let error = truth.duration(to: clock.instant(of: frame)).milliseconds
            #expect((0.3...1.7).contains(error))
            if let last { #expect(abs((clock.instant(of: frame) - last).milliseconds - 100) < 0.2) }
            last = clock.instant(of: frame)
        }
    }

    @Test("after a rest the line begins anew")
    func jump() {
        var clock = StreamClock(.standard)
        #expect(!clock.isKnown)
        for number in 0..<50 {
            clock.observe(frame: Int64(number) * 480, at: Instant(nanoseconds: Int64(number) * 10_000_000))
        }
        clock.observe(frame: 24000, at: Instant(nanoseconds: 9_000_000_000))
        #expect(clock.instant(of: 24480) == Instant(nanoseconds: 9_010_000_000))
        clock.reset()
        #expect(!clock.isKnown)
    }
}
