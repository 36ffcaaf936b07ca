package import HelioCore

/// When a flight is sent again (RFC 6347 section 4.2.4.1): soon at first, then with twice the patience each time.
package struct DTLSRetransmission: Sendable {
    package struct Schedule: Sendable, Hashable {
        /// Shorter than the RFC's second: ICE has seen before that the path is there, and a person waits.
        package var first: Duration = .milliseconds(200)
        package var longest: Duration = .seconds(4)
        /// How often one flight is sent again at most. OpenSSL gives up after 12 of its own accord.
        package var most = 12
        package init() {}
    }

    private let schedule: Schedule
    private var interval: Duration
    private var sent = 0
    /// When the present flight goes out again; `nil` where none waits for an answer.
    package private(set) var due: Instant?

    package init(_ schedule: Schedule) {
        self.schedule = schedule
        interval = schedule.first
    }

    /// A new flight is on its way.
    package mutating func start(now: Instant) {
        interval = schedule.first
        sent = 0
        due = now + interval
    }

    /// The flight was answered, or needs no answer.
    package mutating func stop() { due = nil }

    /// Somebody else keeps the schedule, and said when.
    package mutating func wait(until instant: Instant) { due = instant }

    /// What is due was sent again. `false` where that was once too often.
    package mutating func backOff(now: Instant) -> Bool {
        guard sent < schedule.most else { return false }
        sent += 1
        interval = min(interval * 2, schedule.longest)
        due = now + interval
        return true
    }
}
