package import HelioCore

#if canImport(Glibc)
private import Glibc
#elseif canImport(Darwin)
private import Darwin
#endif

/// The machine's monotonic clock, which drivers and platforms read on behalf of engines.
///
/// All processes of a machine share it, so an instant that a broadcast extension reads is valid in its app; SwiftNIO,
/// ReplayKit and X use the same clock. It is CLOCK_MONOTONIC on Linux, and on Apple's systems CLOCK_UPTIME_RAW, which
/// stands still while the machine sleeps.
package enum MonotonicClock {
    package static var now: Instant {
        var time = timespec()
        #if canImport(Darwin)
        clock_gettime(CLOCK_UPTIME_RAW, &time)
        #else
        clock_gettime(CLOCK_MONOTONIC, &time)
        #endif
        return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}
