package import HelioCore
private import NIOCore

/// The machine's monotonic clock, which drivers read on behalf of engines.
package enum MonotonicClock {
    /// The present instant on SwiftNIO's clock, which all processes of this machine share: CLOCK_MONOTONIC on Linux,
    /// and on Apple's systems CLOCK_UPTIME_RAW, which stands still while the machine sleeps.
    package static var now: Instant {
        Instant(nanoseconds: Int64(NIODeadline.now().uptimeNanoseconds))
    }
}
