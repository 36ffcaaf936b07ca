package import HelioCore

/// Decides when the next picture may be captured: the rate is a ceiling, not a metronome.
///
/// A generic cell rate algorithm with one interval of tolerance. A change after a rest is captured at once, whatever
/// its phase; a steady source at or just under the rate is never delayed, however its ticks jitter within an
/// interval; and n intervals never hold more than n + 2 captures.
package struct CapturePacer: Sendable {
    private var interval: Duration
    /// The time at which the next capture would come if the source ran exactly at the rate.
    private var theoretical: Instant?
    private var lastCapture: Instant?
    /// No capture comes before this, because of `skip`.
    private var heldUntil: Instant?

    /// Of the intervals between two skips, at least.
    private static let skipSpacing = 15
    /// - Parameter framesPerSecond: at least 1; less counts as 1.
    package init(framesPerSecond: Int) {
        interval = Self.interval(framesPerSecond)
    }

    /// Takes effect with the next capture.
    package mutating func setRate(framesPerSecond: Int) {
        interval = Self.interval(framesPerSecond)
    }

    /// The first instant at which a change that is known at `now` may be captured: `now` itself unless the rate is
    /// used up.
    package func earliestCapture(now: Instant) -> Instant {
        guard let theoretical else { return now }
        return max(now, theoretical - interval, heldUntil ?? now)
    }

    package mutating func captured(at now: Instant) {
        theoretical = max(theoretical ?? now, now) + interval
        lastCapture = now
    }

    /// Leaves out the next capture of a source that changes at the rate: it is captured with the change after it. Does
    /// nothing to a source that rests, so that a change after a rest is as early as ever, and nothing soon after another
    /// skip.
    ///
    /// A display shows one picture at each refresh. Where two came between two refreshes, the second waits for the next,
    /// and all after it wait behind each other, up to a whole refresh each, until one is missing.
    package mutating func skip(now: Instant) {
        guard let lastCapture, now - lastCapture < interval * 2 else { return }
        if let heldUntil, now < heldUntil + interval * Self.skipSpacing { return }
        // The second change from now may come a little late, too.
        heldUntil = lastCapture + interval * 2 + interval / 8
    }

    private static func interval(_ framesPerSecond: Int) -> Duration {
        .nanoseconds(1_000_000_000 / Int64(max(1, framesPerSecond)))
    }
}
