import CoreMedia
import HelioCore

extension CMTime {
    /// The instant in nanoseconds since its clock's epoch.
    init(_ instant: Instant) { self.init(value: instant.nanoseconds, timescale: 1_000_000_000) }
}
