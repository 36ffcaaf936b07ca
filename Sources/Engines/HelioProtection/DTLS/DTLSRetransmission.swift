package import HelioCore

/// The retransmission timer of a flight (RFC 6347 section 4.2.4.1): short at first, then twice as long each time.
package struct DTLSRetransmission: Sendable {
    package struct Schedule: Sendable, Hashable {
        /// The first timeout. Shorter than the RFC's second: ICE has shown that the path works, and a person waits.
        package var first: Duration = .milliseconds(200)
        package var longest: Duration = .seconds(4)
        /// The most times that one flight is retransmitted. OpenSSL itself gives up after 12.
        package var most = 12
        package init() {}
    }

    private let schedule: Schedule
    private var interval: Duration
    private var sent = 0
    /// When the present flight is retransmitted; `nil` if none waits for an answer.
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

    /// Stops the timer: the flight was answered, or needs no answer.
    package mutating func stop() { due = nil }

    /// Sets the timer to an instant from another schedule.
    package mutating func wait(until instant: Instant) { due = instant }

    /// Records a retransmission and doubles the interval. Returns `false` if the limit is exceeded.
    package mutating func backOff(now: Instant) -> Bool {
        guard sent < schedule.most else { return false }
        sent += 1
        interval = min(interval * 2, schedule.longest)
        due = now + interval
        return true
    }
}
