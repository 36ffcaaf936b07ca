internal import HelioCore

/// A value that is reported only once it has lasted, so that changes that come and go within seconds are never seen.
struct LastingChange<Value: Equatable & Sendable>: Sendable {
    private let patience: Duration
    private var reported: Value
    private var candidate: (value: Value, since: Instant)?

    /// - Parameters:
    ///   - value: the initial value, which counts as reported.
    ///   - patience: the time for which another value must last to be reported.
    init(_ value: Value, patience: Duration) {
        reported = value
        self.patience = patience
    }

    /// The time at which `take` has something to report, if nothing changes until then.
    var deadline: Instant? { candidate.map { $0.since + patience } }

    /// Sets the current value.
    mutating func set(_ value: Value, now: Instant) {
        if value == reported {
            candidate = nil
        } else if candidate?.value != value {
            candidate = (value, now)
        }
    }

    /// Returns a value that has lasted for `patience`, once; `nil` if there is none.
    mutating func take(now: Instant) -> Value? {
        guard let candidate, now >= candidate.since + patience else { return nil }
        reported = candidate.value
        self.candidate = nil
        return candidate.value
    }
}
