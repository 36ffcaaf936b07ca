package import HelioCore

/// Virtual time: advances only to the next deadline, and throws `Livelock` if a component always requests to be called
/// at the present time.
package struct VirtualTime {
    package private(set) var now: Instant
    /// The maximum number of steps at the same virtual time; then `Livelock` is thrown.
    package var stepsPerInstant = 10_000
    private var stepsNow = 0

    package init(start: Instant = .zero) { now = start }

    /// Advances to the deadline if it is not after `end`, otherwise to `end`.
    ///
    /// - Returns: true if the deadline is due now.
    package mutating func advance(to due: Deadline?, until end: Instant) throws(Livelock) -> Bool {
        guard let due, due.at <= end else {
            move(to: end)
            return false
        }
        move(to: due.at)
        try countStep(due.why)
        return true
    }

    /// Counts a step at the present time. Throws `Livelock` if there are too many.
    package mutating func countStep(_ why: StaticString) throws(Livelock) {
        stepsNow += 1
        if stepsNow > stepsPerInstant { throw Livelock(at: now, why: why) }
    }

    private mutating func move(to instant: Instant) {
        guard instant > now else { return }
        now = instant
        stepsNow = 0
    }
}
