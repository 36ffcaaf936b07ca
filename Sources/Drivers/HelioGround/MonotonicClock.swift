private import CGround
package import HelioCore

#if canImport(Glibc)
private import Glibc
#elseif canImport(Darwin)
private import Darwin
#endif

/// The machine's monotonic clock, which drivers and platforms read on behalf of engines.
///
/// All processes of a machine share this clock, so an instant that a broadcast extension reads is valid in its app;
/// SwiftNIO, ReplayKit and X use it, too. The clock is CLOCK_MONOTONIC on Linux and CLOCK_UPTIME_RAW on Apple's
/// systems, which stops while the machine sleeps.
package enum MonotonicClock {
    package static var now: Instant {
        #if canImport(Darwin)
        Instant(nanoseconds: helio_clock(CLOCK_UPTIME_RAW))
        #else
        Instant(nanoseconds: helio_clock(CLOCK_MONOTONIC))
        #endif
    }
}
