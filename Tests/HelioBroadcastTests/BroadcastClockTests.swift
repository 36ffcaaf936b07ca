import HelioBroadcast
import HelioCore
import Testing

struct BroadcastClockTests {
    private static let begin = Instant(nanoseconds: 77_000_000_123)

    @Test func startsAtZero() {
        var clock = BroadcastClock()
        #expect(clock.picture(captured: Self.begin) == nil)
        #expect(clock.sound(captured: Self.begin, sample: 0, frames: 960) == nil)
        clock.start(at: Self.begin)
        #expect(clock.picture(captured: Self.begin) == .zero)
        #expect(clock.sound(captured: Self.begin - .milliseconds(1), sample: 5, frames: 960) == nil)
        #expect(clock.sound(captured: Self.begin + .milliseconds(19), sample: 965, frames: 960) == .milliseconds(19))
    }

    /// A repeated capture time, one just before it, and one far before it.
    @Test func picturesNeverGoBack() {
        var clock = BroadcastClock()
        clock.start(at: Self.begin)
        let captured = [0, 33, 33, 20, -5000, 36, 66].map { Self.begin + .milliseconds($0) }
        #expect(captured.map { clock.picture(captured: $0) } == [0, 33, 34, 35, 36, 37, 66].map { .milliseconds($0) })
    }

    /// AAC packets with a capture jitter of 15 ms are spaced evenly to within a thousandth.
    @Test func soundIsEven() {
        var clock = BroadcastClock()
        clock.start(at: Self.begin)
        var generator = SeededGenerator(seed: 7)
        var last: Duration?
        let length = Duration.nanoseconds(1024 * 1_000_000_000 / 48000)
        for index in 0..<5000 {
            let jitter = Duration.microseconds(index == 0 ? 0 : Int64.random(in: -15000...15000, using: &generator))
            let captured = Self.begin + length * index + jitter
            guard let time = clock.sound(captured: captured, sample: Int64(index) * 1024, frames: 1024) else {
                Issue.record("no time for packet \(index)")
                continue
            }
            if let last {
                let step = time - last
                #expect(step >= length - length / 1000 && step <= length + length / 1000)
            }
            last = time
        }
    }

    /// Sound stays within 20 ms of the picture over an hour, with a sound card whose clock is off by 200 ppm.
    @Test(arguments: [200, -200])
    func staysInStep(drift: Int) {
        var clock = BroadcastClock()
        clock.start(at: Self.begin)
        let length = 1024 * 1_000_000_000 / 48000 * (1_000_000 + drift) / 1_000_000
        var last = Duration.zero
        for index in 0..<168_750 {
            let captured = Self.begin + .nanoseconds(Int64(index) * Int64(length))
            guard let time = clock.sound(captured: captured, sample: Int64(index) * 1024, frames: 1024) else { return }
            let error = (captured - Self.begin) - time
            if abs(error.nanoseconds) > 20_000_000 { Issue.record("off by \(error) at packet \(index)") }
            if index > 0, time <= last { Issue.record("went back at packet \(index)") }
            last = time
        }
    }

    /// Gaps in the sound are kept; sound that arrives too early is slowed to its due time, and never goes back.
    @Test func gaps() {
        var clock = BroadcastClock()
        clock.start(at: Self.begin)
        func time(_ milliseconds: Int, _ sample: Int64) -> Duration? {
            clock.sound(captured: Self.begin + .milliseconds(milliseconds), sample: sample, frames: 960)
        }
        #expect(time(0, 0) == .zero)
        #expect(time(20, 960) == .milliseconds(20))
        // The sample count includes half a second of silence and one more packet.
        #expect(time(540, 25920) == .milliseconds(540))
        // The sample count omits the silence.
        #expect(time(2000, 26880) == .seconds(2))
        // The sample count restarts at zero.
        #expect(time(5000, 0) == .seconds(5))
        // The capture time is a second back: each packet is shortened by at most a twentieth.
        #expect(time(4020, 960) == .milliseconds(5019))
        #expect(time(4040, 1920) == .milliseconds(5038))
    }
}
