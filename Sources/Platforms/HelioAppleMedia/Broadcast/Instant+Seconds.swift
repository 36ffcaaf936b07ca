package import HelioCore

extension Instant {
    /// Converts a framework's time in seconds; `nil` if it is not finite, or out of range.
    package init?(seconds: Double) {
        guard let nanoseconds = Int64(exactly: (seconds * 1e9).rounded()) else { return nil }
        self.init(nanoseconds: nanoseconds)
    }
}
