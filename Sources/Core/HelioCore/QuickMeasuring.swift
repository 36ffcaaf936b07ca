/// The second in which a round trip is measured often: it begins anew with each wish for that.
package struct QuickMeasuring: Sendable {
    /// The time between two measurements meanwhile.
    package static let interval = Duration.milliseconds(50)
    private static let time = Duration.seconds(1)

    private var end: Instant?

    package init() {}

    package func isOn(now: Instant) -> Bool { end.map { now < $0 } ?? false }

    /// Begins the second.
    ///
    /// - Parameter next: the time of the next measurement, which comes soon from now on.
    package mutating func begin(now: Instant, next: inout Instant) {
        end = now + Self.time
        next = min(next, now + Self.interval)
    }
}
