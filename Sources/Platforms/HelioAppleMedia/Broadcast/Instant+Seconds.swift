package import HelioCore

extension Instant {
    /// Makes the instant of a framework's time in seconds; `nil` for a value that is no number, or out of range.
    package init?(seconds: Double) {
        guard let nanoseconds = Int64(exactly: (seconds * 1e9).rounded()) else { return nil }
        self.init(nanoseconds: nanoseconds)
    }
}
