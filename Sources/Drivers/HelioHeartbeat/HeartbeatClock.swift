import HelioCore

#if canImport(Glibc)
private import Glibc
#elseif canImport(Darwin)
private import Darwin
#endif

/// The clocks of a heartbeat, read without an event loop.
enum HeartbeatClock {
    /// Now, on the machine's monotonic clock.
    static var now: Instant { Instant(nanoseconds: nanoseconds(CLOCK_MONOTONIC)) }

    /// Milliseconds since 1970.
    static var milliseconds: Int64 { nanoseconds(CLOCK_REALTIME) / 1_000_000 }

    private static func nanoseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
