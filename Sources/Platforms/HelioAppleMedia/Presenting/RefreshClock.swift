package import HelioCore

/// The display's refreshes, learnt from the display link: their rate, and the instants of the next ones.
package struct RefreshClock: Sendable {
    /// The period; `nil` until two refreshes have been seen.
    package private(set) var period: Duration?
    private var last: Instant?

    /// The plausible periods: 10 to 500 refreshes per second.
    private static let believable = Duration.milliseconds(2)...Duration.milliseconds(100)

    package init() {}

    /// Learns from a refresh: `target` is the instant at which the present drawing will be shown.
    package mutating func tick(_ target: Instant) {
        defer { last = max(target, last ?? target) }
        guard let last, target > last else { return }
        let step = target - last
        guard Self.believable.contains(step) else { return }
        // A step of two periods is a missed refresh, and leaves the period as it is.
        guard let period, step > period * 3 / 2 else {
            self.period = step
            return
        }
    }

    /// Forgets the refreshes and their rate, as after a pause or on another display.
    package mutating func reset() { self = Self() }

    /// The refreshes per second, to the nearest whole number.
    package var rate: Int? {
        period.map { Int((1e9 / Double(max(1, $0.nanoseconds))).rounded()) }
    }

    /// The earliest instant at which a picture that is handed over now is shown.
    package func nextShown(after now: Instant) -> Instant {
        guard let last else { return now + (period ?? .zero) }
        guard let period, period > .zero else { return max(now, last) }
        if last > now { return last }
        let passed = (now - last).nanoseconds / period.nanoseconds + 1
        return last + .nanoseconds(period.nanoseconds * passed)
    }
}
