import CoreMedia
import HelioCore

extension CMTime {
    /// Converts an instant, with a time scale of nanoseconds.
    init(_ instant: Instant) { self.init(value: instant.nanoseconds, timescale: 1_000_000_000) }
}
