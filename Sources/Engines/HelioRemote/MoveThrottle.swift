import HelioCore

/// Limits the moves a second (the generic cell rate algorithm): admits the first after a pause at once, then one an
/// interval, with `burst` more ahead of their time.
struct MoveThrottle {
    var eventsPerSecond: Int
    private let burst: Int
    /// The time at which the next move would come if all were evenly spaced.
    private var due: Instant?

    init(eventsPerSecond: Int, burst: Int = 0) {
        self.eventsPerSecond = eventsPerSecond
        self.burst = burst
    }

    private var interval: Duration { .nanoseconds(1_000_000_000 / Int64(max(eventsPerSecond, 1))) }

    /// When a move is admitted; `nil`: at once.
    var opensAt: Instant? { due.map { $0 - interval * burst } }

    func isOpen(at now: Instant) -> Bool { opensAt.map { now >= $0 } ?? true }

    /// Records an admitted move, which delays the next ones.
    mutating func take(at now: Instant) {
        due = max(due ?? now, now) + interval
    }
}
