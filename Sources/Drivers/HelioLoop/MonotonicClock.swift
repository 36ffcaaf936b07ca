package import HelioCore
private import NIOCore

/// The machine's monotonic clock: the one place where time is read for engines.
package enum MonotonicClock {
    /// Now, on SwiftNIO's clock, one for every process of this machine: CLOCK_MONOTONIC on Linux, on Apple's systems
    /// the one that stands still while the machine sleeps (CLOCK_UPTIME_RAW).
    package static var now: Instant {
        Instant(nanoseconds: Int64(NIODeadline.now().uptimeNanoseconds))
    }
}
