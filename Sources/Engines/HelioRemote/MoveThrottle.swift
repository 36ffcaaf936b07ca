import HelioCore

/// Admits so many moves a second (the generic cell rate algorithm): the first after a pause at once, then one an
/// interval, with `burst` more ahead of their time.
struct MoveThrottle {
    var eventsPerSecond: Int
    private let burst: Int
    /// The time at which the next move would come were all of them evenly spaced.
    private var due: Instant?

    init(eventsPerSecond: Int, burst: Int = 0) {
        self.eventsPerSecond = eventsPerSecond
        self.burst = burst
    }

    private var interval: Duration { .nanoseconds(1_000_000_000 / Int64(max(eventsPerSecond, 1))) }

    /// The time from which on a move is admitted; `nil` for at once.
    var opensAt: Instant? { due.map { $0 - interval * burst } }

    func isOpen(at now: Instant) -> Bool { opensAt.map { now >= $0 } ?? true }

    /// Notes that a move went through.
    mutating func take(at now: Instant) {
        due = max(due ?? now, now) + interval
    }
}
