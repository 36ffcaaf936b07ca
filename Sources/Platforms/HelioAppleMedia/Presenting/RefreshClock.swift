package import HelioCore

/// Measures the display's refresh period from the display link, and predicts the times of refreshes.
package struct RefreshClock: Sendable {
    /// The refresh period; `nil` before the second refresh.
    package private(set) var period: Duration?
    private var last: Instant?

    /// The plausible periods: 10 to 500 refreshes per second.
    private static let believable = Duration.milliseconds(2)...Duration.milliseconds(100)

    package init() {}

    /// Updates the period with a refresh.
    ///
    /// - Parameter target: the time at which the present drawing will be shown.
    package mutating func tick(_ target: Instant) {
        defer { last = max(target, last ?? target) }
        guard let last, target > last else { return }
        let step = target - last
        guard Self.believable.contains(step) else { return }
        // A step of two periods is a missed refresh, so keep the period.
        guard let period, step > period * 3 / 2 else {
            self.period = step
            return
        }
    }

    /// Discards the measured period, after a pause or on another display.
    package mutating func reset() { self = Self() }

    /// The refreshes per second, to the nearest whole number.
    package var rate: Int? {
        period.map { Int((1e9 / Double(max(1, $0.nanoseconds))).rounded()) }
    }

    /// Returns the earliest time at which a picture that is passed now can be shown.
    package func nextShown(after now: Instant) -> Instant {
        guard let last else { return now + (period ?? .zero) }
        guard let period, period > .zero else { return max(now, last) }
        if last > now { return last }
        let passed = (now - last).nanoseconds / period.nanoseconds + 1
        return last + .nanoseconds(period.nanoseconds * passed)
    }
}
