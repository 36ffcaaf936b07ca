private import CGround
package import HelioCore

#if canImport(Glibc)
private import Glibc
#elseif canImport(Darwin)
private import Darwin
#endif

/// The machine's wall clock (CLOCK_REALTIME), for times that other processes and machines read.
package enum WallClock {
    /// The time from 1900, where NTP begins, to 1970.
    private static let ntpToUnix = Duration.seconds(2_208_988_800)

    /// The time since 1970, in nanoseconds.
    private static var nanoseconds: Int64 { helio_clock(CLOCK_REALTIME) }

    /// The time since 1970, in milliseconds.
    package static var milliseconds: Int64 { nanoseconds / 1_000_000 }

    /// The time of day in this machine's time zone.
    package static var timeOfDay: TimeOfDay? {
        var (seconds, parts) = (time_t(nanoseconds / 1_000_000_000), tm())
        // localtime_r keeps the time zone that it first read, also when the machine is given another one (tzset(3)).
        tzset()
        guard localtime_r(&seconds, &parts) != nil else { return nil }
        return TimeOfDay(minutes: Int(parts.tm_hour) * 60 + Int(parts.tm_min))
    }

    /// Returns the offset from `MonotonicClock` to the time since 1900.
    ///
    /// - Parameter instant: the current time on `MonotonicClock`.
    package static func sinceNTPEpoch(at instant: Instant) -> Duration {
        ntpToUnix + sinceUnixEpoch(at: instant)
    }

    /// Returns the offset from `MonotonicClock` to the time since 1970.
    ///
    /// - Parameter instant: the current time on `MonotonicClock`.
    package static func sinceUnixEpoch(at instant: Instant) -> Duration {
        .nanoseconds(nanoseconds - instant.nanoseconds)
    }

    /// Returns the instant at which this clock showed a time, in microseconds since 1970. The result is wrong if the
    /// clock was set since.
    package static func instant(of microseconds: Int64) -> Instant {
        // The two clocks are read right after each other, as the time in between is an error of the result.
        let real = nanoseconds
        return Instant(nanoseconds: MonotonicClock.now.nanoseconds &- (real &- microseconds &* 1000))
    }
}
