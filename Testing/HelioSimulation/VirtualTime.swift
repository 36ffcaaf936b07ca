package import HelioCore

/// Virtual time: it only moves to the next deadline, and reports a livelock if some part keeps asking to be served in
/// the present instant.
package struct VirtualTime {
    package private(set) var now: Instant
    /// The most steps within one instant before `Livelock` is thrown.
    package var stepsPerInstant = 10_000
    private var stepsNow = 0

    package init(start: Instant = .zero) { now = start }

    /// Moves to the deadline if it is by `end`, otherwise to `end`.
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

    /// Counts one more step in this instant.
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
