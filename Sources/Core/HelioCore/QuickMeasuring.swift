/// A period of one second in which the round trip is measured more often; each request restarts it.
package struct QuickMeasuring: Sendable {
    /// The interval of measurements within the period.
    package static let interval = Duration.milliseconds(50)
    private static let time = Duration.seconds(1)

    private var end: Instant?

    package init() {}

    package func isOn(now: Instant) -> Bool { end.map { now < $0 } ?? false }

    /// Starts the period, or restarts it.
    ///
    /// - Parameter next: the time of the next measurement, which is moved to at most `interval` from now.
    package mutating func begin(now: Instant, next: inout Instant) {
        end = now + Self.time
        next = min(next, now + Self.interval)
    }
}
