package import HelioCore

/// Limits the lines about repeated failures of a retried operation: the first failure is printed, later failures at
/// doubling intervals, until the operation succeeds.
package struct RepeatedNews: Sendable {
    private struct Failure: Sendable {
        var text: String
        var printed: Instant
        var interval: Duration
    }

    /// The interval after the first line; it doubles with each further line.
    private static let firstInterval = Duration.seconds(30)
    private static let longestInterval = Duration.seconds(3600)

    /// The last printed failure of each destination. The user has chosen the destinations, so there are few.
    private var failures: [String: Failure] = [:]

    package init() {}

    /// Returns true if a failure has to be printed: it is the first, its text has changed, or the interval since the
    /// last line has passed.
    package mutating func isNews(_ text: String, of name: String, now: Instant) -> Bool {
        guard let last = failures[name] else {
            failures[name] = Failure(text: text, printed: now, interval: Self.firstInterval)
            return true
        }
        let isNew = last.text != text
        guard isNew || now - last.printed >= last.interval else { return false }
        let interval = isNew ? last.interval : min(last.interval * 2, Self.longestInterval)
        failures[name] = Failure(text: text, printed: now, interval: interval)
        return true
    }

    /// Registers a success, so that the next failure is printed again.
    package mutating func succeed(_ name: String) { failures[name] = nil }
}
