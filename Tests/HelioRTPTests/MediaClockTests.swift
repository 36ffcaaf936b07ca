import HelioRTP
import Testing

@Suite struct MediaClockTests {
    private static let known: [(ticks: Int64, rate: Int64, microseconds: Int64)] = [
        (0, 90_000, 0), (9, 90_000, 100), (-9, 90_000, -100), (90_001, 90_000, 1_000_011),
        (48_006, 48_000, 1_000_125), (-1, 48_000, -20),
    ]

    @Test func durations() {
        for (ticks, rate, microseconds) in Self.known {
            #expect(MediaClock.duration(ticks, rate: rate) == .microseconds(microseconds), "\(ticks) at \(rate)")
        }
    }

    /// The peer controls extended timestamps: they can grow by 2^31 with every packet.
    @Test func whateverThePeerLedThemTo() {
        let extremes: [Int64] = [.max, .min, .max / 100 + 1, .min / 125 - 1]
        for ticks in extremes {
            for rate in [90_000, 48_000] as [Int64] {
                let duration = MediaClock.duration(ticks, rate: rate)
                #expect(duration.components.seconds == ticks / rate, "\(ticks) at \(rate)")
            }
        }
    }
}
