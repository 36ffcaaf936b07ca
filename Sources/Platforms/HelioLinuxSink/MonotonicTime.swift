internal import CSDL2
internal import HelioCore

/// The machine's monotonic clock (CLOCK_MONOTONIC), the one the drivers read.
enum MonotonicTime {
    static var now: Instant { Instant(nanoseconds: helio_monotonic_nanoseconds()) }
}
