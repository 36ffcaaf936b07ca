import HelioCore

/// Limits the rate of moves by the generic cell rate algorithm. The first move after a pause is admitted at once, then
/// one per interval; up to `burst` more moves are admitted early.
struct MoveThrottle {
    var eventsPerSecond: Int
    private let burst: Int
    /// The algorithm's theoretical arrival time: when the next move is expected if moves are evenly spaced.
    private var due: Instant?

    init(eventsPerSecond: Int, burst: Int = 0) {
        self.eventsPerSecond = eventsPerSecond
        self.burst = burst
    }

    private var interval: Duration { .nanoseconds(1_000_000_000 / Int64(max(eventsPerSecond, 1))) }

    /// The time from which a move is admitted; `nil` before the first move, which is admitted at once.
    var opensAt: Instant? { due.map { $0 - interval * burst } }

    func isOpen(at now: Instant) -> Bool { opensAt.map { now >= $0 } ?? true }

    /// Records an admitted move, which delays later moves.
    mutating func take(at now: Instant) {
        due = max(due ?? now, now) + interval
    }
}
