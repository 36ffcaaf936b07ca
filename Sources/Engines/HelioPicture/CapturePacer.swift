package import HelioCore

/// Limits the rate of captures; captures need not be evenly spaced.
///
/// The limit is a generic cell rate algorithm with one interval of tolerance. A change after a rest is captured at
/// once, whatever its phase; a steady source at or just under the rate is never delayed, however its ticks jitter
/// within an interval; and n intervals never hold more than n + 2 captures.
package struct CapturePacer: Sendable {
    private var interval: Duration
    /// The algorithm's theoretical arrival time: when the next capture is expected if captures are evenly spaced.
    private var theoretical: Instant?

    /// - Parameter framesPerSecond: at least 1; less counts as 1.
    package init(framesPerSecond: Int) {
        interval = Self.interval(framesPerSecond)
    }

    /// Sets the rate, from the next capture on.
    package mutating func setRate(framesPerSecond: Int) {
        interval = Self.interval(framesPerSecond)
    }

    /// The first instant at which a change that is known at `now` may be captured: `now` itself unless the rate is
    /// used up.
    package func earliestCapture(now: Instant) -> Instant {
        guard let theoretical else { return now }
        return max(now, theoretical - interval)
    }

    package mutating func captured(at now: Instant) {
        theoretical = max(theoretical ?? now, now) + interval
    }

    private static func interval(_ framesPerSecond: Int) -> Duration {
        .nanoseconds(1_000_000_000 / Int64(max(1, framesPerSecond)))
    }
}
