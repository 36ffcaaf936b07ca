private import Glibc
internal import HelioCore

extension Instant {
    /// The present time on CLOCK_MONOTONIC, which all processes of the machine share, and `HelioLoop` uses.
    static var monotonicNow: Instant { now(CLOCK_MONOTONIC) }

    /// The instant at which CLOCK_REALTIME showed a time, in microseconds since 1970.
    static func ofRealTime(microseconds: Int64) -> Instant {
        // Both clocks are read one right after the other.
        let (real, monotonic) = (now(CLOCK_REALTIME), monotonicNow)
        return Instant(nanoseconds: monotonic.nanoseconds &- (real.nanoseconds &- microseconds &* 1000))
    }

    private static func now(_ clock: clockid_t) -> Instant {
        var time = timespec()
        clock_gettime(clock, &time)
        return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}
