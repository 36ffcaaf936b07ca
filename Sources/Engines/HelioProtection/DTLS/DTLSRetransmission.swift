package import HelioCore

/// The retransmission timer of a flight, with exponential backoff (RFC 6347 section 4.2.4.1).
package struct DTLSRetransmission: Sendable {
    package struct Schedule: Sendable, Hashable {
        /// The first timeout. It is shorter than the RFC's 1 s, as ICE has verified the path and the user is waiting.
        package var first: Duration = .milliseconds(200)
        package var longest: Duration = .seconds(4)
        /// The maximum number of retransmissions of a flight. OpenSSL's own limit is 12.
        package var most = 12
        package init() {}
    }

    private let schedule: Schedule
    private var interval: Duration
    private var sent = 0
    /// The time of the next retransmission; `nil` if no flight is unanswered.
    package private(set) var due: Instant?

    package init(_ schedule: Schedule) {
        self.schedule = schedule
        interval = schedule.first
    }

    /// Starts the timer of a new flight.
    package mutating func start(now: Instant) {
        interval = schedule.first
        sent = 0
        due = now + interval
    }

    /// Stops the timer, as the flight was answered or needs no answer.
    package mutating func stop() { due = nil }

    /// Sets the timer to an instant that the caller has computed.
    package mutating func wait(until instant: Instant) { due = instant }

    /// Counts a retransmission and doubles the interval. Returns false if the limit was reached before.
    package mutating func backOff(now: Instant) -> Bool {
        guard sent < schedule.most else { return false }
        sent += 1
        interval = min(interval * 2, schedule.longest)
        due = now + interval
        return true
    }
}
