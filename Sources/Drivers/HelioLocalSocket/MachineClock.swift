package import HelioCore

#if canImport(Glibc)
private import Glibc
#elseif canImport(Darwin)
private import Darwin
#endif

/// The clock that all processes of this machine share: an instant that the extension reads is valid in the app too.
///
/// It stands still while the machine sleeps; ReplayKit and SwiftNIO use the same clock.
package enum MachineClock {
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
