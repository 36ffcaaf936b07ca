internal import HelioCore

/// A value whose changes are reported only once they have lasted for some time, so that short changes are never
/// reported.
struct LastingChange<Value: Equatable & Sendable>: Sendable {
    private let patience: Duration
    private var reported: Value
    private var candidate: (value: Value, since: Instant)?

    /// - Parameters:
    ///   - value: the initial value, which counts as reported.
    ///   - patience: the time for which a changed value must last to be reported.
    init(_ value: Value, patience: Duration) {
        reported = value
        self.patience = patience
    }

    /// The time at which `take` will return a value if nothing changes until then; `nil` if there is no unreported
    /// change.
    var deadline: Instant? { candidate.map { $0.since + patience } }

    /// Sets the current value.
    mutating func set(_ value: Value, now: Instant) {
        if value == reported {
            candidate = nil
        } else if candidate?.value != value {
            candidate = (value, now)
        }
    }

    /// Returns a changed value once it has lasted for `patience`, and only once; otherwise `nil`.
    mutating func take(now: Instant) -> Value? {
        guard let candidate, now >= candidate.since + patience else { return nil }
        reported = candidate.value
        self.candidate = nil
        return candidate.value
    }
}
