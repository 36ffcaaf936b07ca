import HelioCore

/// Makes the times of a connection of those of the media: milliseconds since its first unit, never back.
struct RTMPTimeline {
    /// From here on, a step back is another time and not another stream's order.
    private static let stepBack = Duration.seconds(1)

    private var base: Duration?
    private var latest = Duration.zero
    private var last: [Bool: Int64] = [:]

    /// True until the first unit was given a time.
    var isEmpty: Bool { base == nil }

    /// The time of a unit, 32 bits of it; `nil` where it lies before the first one.
    mutating func time(of decode: Duration, isSound: Bool) -> UInt32? {
        var base = base ?? decode
        if decode < base + latest - Self.stepBack, last[isSound] != nil {
            // The source has begun anew: the times go on from the latest.
            base = decode - latest
        }
        guard decode >= base else { return nil }
        self.base = base
        let time = decode - base
        latest = max(latest, time)
        let (seconds, attoseconds) = time.components
        let milliseconds = max(seconds &* 1000 &+ attoseconds / 1_000_000_000_000_000, last[isSound] ?? 0)
        last[isSound] = milliseconds
        return UInt32(truncatingIfNeeded: milliseconds)
    }
}
