internal import HelioCore

/// When the server is asked for a stream's time: often at first, then ten times a second.
struct TimingSchedule {
    private static let often = Duration.milliseconds(20)
    private static let seldom = Duration.milliseconds(100)
    private static let oftenCount = 16

    private var count = 0
    private var due = Instant.zero

    /// Begins anew: the stream is on another device.
    mutating func reset() { self = TimingSchedule() }

    /// True where it is time to ask; counts that as asked.
    mutating func isDue(_ now: Instant) -> Bool {
        guard now >= due else { return false }
        count += 1
        due = now + (count < Self.oftenCount ? Self.often : Self.seldom)
        return true
    }
}
