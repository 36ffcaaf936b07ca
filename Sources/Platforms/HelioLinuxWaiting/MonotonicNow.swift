private import Glibc
package import HelioCore

extension Instant {
    /// The present time on CLOCK_MONOTONIC, which all processes of the machine share, and `HelioLoop` uses.
    package static var monotonicNow: Instant {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}
