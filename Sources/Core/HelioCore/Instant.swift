/// A point on a monotonic clock, in nanoseconds since an epoch that the driver chose.
///
/// Core, Wire and Engines receive instants as parameters and never read a clock. Instants of two machines are on
/// different clocks, and have to be converted with a measured offset before they are compared.
package struct Instant: InstantProtocol, Sendable {
    package var nanoseconds: Int64

    package init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// The clock's epoch, at which virtual time starts in tests.
    package static let zero = Instant(nanoseconds: 0)

    package func advanced(by duration: Duration) -> Instant {
        Instant(nanoseconds: nanoseconds &+ duration.nanoseconds)
    }

    package func duration(to other: Instant) -> Duration {
        .nanoseconds(other.nanoseconds &- nanoseconds)
    }

    package static func < (a: Instant, b: Instant) -> Bool {
        a.nanoseconds < b.nanoseconds
    }

    package static func - (later: Instant, earlier: Instant) -> Duration {
        earlier.duration(to: later)
    }

    package static func + (instant: Instant, duration: Duration) -> Instant {
        instant.advanced(by: duration)
    }

    package static func - (instant: Instant, duration: Duration) -> Instant {
        Instant(nanoseconds: instant.nanoseconds &- duration.nanoseconds)
    }

    /// Whole microseconds since the epoch, the unit of control packets (requirement row 63).
    package var microseconds: Int64 { nanoseconds / 1000 }
}

extension Duration {
    /// The whole duration in nanoseconds; saturates at about 292 years.
    package var nanoseconds: Int64 {
        // This conversion runs for every packet, so durations up to 9 s avoid a 128-bit division.
        if let small = Int64(exactly: attoseconds) { return small / 1_000_000_000 }
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        if overflow { return seconds < 0 ? .min : .max }
        return whole &+ attoseconds / 1_000_000_000
    }

    /// The duration in fractional milliseconds: for statistics, not for arithmetic.
    package var milliseconds: Double { Double(nanoseconds) / 1e6 }

    /// The duration in fractional seconds.
    package var inSeconds: Double { Double(nanoseconds) / 1e9 }
}
