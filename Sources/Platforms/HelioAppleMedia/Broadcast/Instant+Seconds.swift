package import HelioCore

extension Instant {
    /// The instant that a framework says in seconds; `nil` for what is no number, or beyond all time.
    package init?(seconds: Double) {
        guard let nanoseconds = Int64(exactly: (seconds * 1e9).rounded()) else { return nil }
        self.init(nanoseconds: nanoseconds)
    }
}
