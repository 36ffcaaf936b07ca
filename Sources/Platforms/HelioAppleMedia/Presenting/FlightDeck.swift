private import Synchronization

/// Keeps what the graphics processor still reads, up to a limit (row 72).
///
/// Any thread: what is done is told on the processor's own.
final class FlightDeck<Held: Sendable>: Sendable {
    private struct State: Sendable {
        var next = 0
        var held: [Int: Held] = [:]
        var failures = 0
    }

    let limit: Int
    private let state = Mutex(State())

    init(limit: Int) { self.limit = limit }

    var count: Int { state.withLock { $0.held.count } }
    var isFull: Bool { count >= limit }
    /// How often the processor has failed.
    var failures: Int { state.withLock { $0.failures } }

    /// Keeps something until its ticket comes back; `nil` if there is no room.
    func launch(_ held: Held) -> Int? {
        state.withLock { state in
            guard state.held.count < limit else { return nil }
            defer { state.next += 1 }
            state.held[state.next] = held
            return state.next
        }
    }

    /// Lets go what was kept under a ticket; a second time does nothing.
    func land(_ ticket: Int, isDone: Bool) {
        // Released outside of the lock.
        let held = state.withLock { state in
            if !isDone { state.failures += 1 }
            return state.held.removeValue(forKey: ticket)
        }
        withExtendedLifetime(held) {}
    }
}
