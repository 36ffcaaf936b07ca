internal import HelioCore

#if canImport(Glibc)
private import Glibc
#elseif canImport(Darwin)
private import Darwin
#endif

/// The calendar, for what leaves this machine's own clock.
enum WallClock {
    /// Seconds from 1900, where NTP begins, to 1970.
    private static let ntpToUnix = 2_208_988_800

    /// What is to be added to `instant`, which is now, to get the time since 1900.
    static func sinceNTPEpoch(at instant: Instant) -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return .seconds(Int(time.tv_sec) + ntpToUnix) + .nanoseconds(Int(time.tv_nsec))
            - .nanoseconds(instant.nanoseconds)
    }
}
