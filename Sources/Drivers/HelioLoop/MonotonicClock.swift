package import HelioCore
private import NIOCore

/// The machine's monotonic clock: the one place where time is read for engines.
package enum MonotonicClock {
    /// Now, on CLOCK_MONOTONIC: one clock for every process of this machine.
    package static var now: Instant {
        Instant(nanoseconds: Int64(NIODeadline.now().uptimeNanoseconds))
    }
}
