private import CGround
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
        #if canImport(Darwin)
        Instant(nanoseconds: helio_clock(CLOCK_UPTIME_RAW))
        #else
        Instant(nanoseconds: helio_clock(CLOCK_MONOTONIC))
        #endif
    }

    /// The instant at which CLOCK_REALTIME showed a time, in microseconds since 1970, if neither clock was set since.
    package static func instant(ofRealTime microseconds: Int64) -> Instant {
        // Both clocks are read one right after the other.
        let real = helio_clock(CLOCK_REALTIME)
        return Instant(nanoseconds: now.nanoseconds &- (real &- microseconds &* 1000))
    }
}
