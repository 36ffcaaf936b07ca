internal import HelioCore

/// The schedule of timing requests: every 20 ms for the first 16 requests, then every 100 ms.
struct TimingSchedule {
    private static let often = Duration.milliseconds(20)
    private static let seldom = Duration.milliseconds(100)
    private static let oftenCount = 16

    private var count = 0
    private var due = Instant.zero

    /// Restarts the schedule, as the stream is on another device.
    mutating func reset() { self = TimingSchedule() }

    /// Returns true if a request is due; the schedule then treats it as sent.
    mutating func isDue(_ now: Instant) -> Bool {
        guard now >= due else { return false }
        count += 1
        due = now + (count < Self.oftenCount ? Self.often : Self.seldom)
        return true
    }
}
