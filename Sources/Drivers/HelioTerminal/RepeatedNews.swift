package import HelioCore

/// The choice of the lines about something that is tried over and over: the first failure is printed, later ones at
/// longer and longer intervals, until it succeeds.
package struct RepeatedNews: Sendable {
    private struct Failure: Sendable {
        var text: String
        var printed: Instant
        var interval: Duration
    }

    /// The interval after the first line; it doubles with each further line.
    private static let firstInterval = Duration.seconds(30)
    private static let longestInterval = Duration.seconds(3600)

    /// The last failure that was printed, by the name of the destination. The user named the destinations, so there are
    /// few.
    private var failures: [String: Failure] = [:]

    package init() {}

    /// True if a failure is to be printed: it is the first, says something new, or the last line was long ago.
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

    /// Notes a success: the next failure is news again.
    package mutating func succeed(_ name: String) { failures[name] = nil }
}
