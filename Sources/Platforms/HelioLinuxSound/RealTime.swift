private import Glibc
internal import HelioCore
private import HelioGround

extension Instant {
    /// The instant at which CLOCK_REALTIME showed a time, in microseconds since 1970.
    static func ofRealTime(microseconds: Int64) -> Instant {
        var time = timespec()
        // Both clocks are read one right after the other.
        clock_gettime(CLOCK_REALTIME, &time)
        let monotonic = MonotonicClock.now
        let real = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
        return Instant(nanoseconds: monotonic.nanoseconds &- (real &- microseconds &* 1000))
    }
}
