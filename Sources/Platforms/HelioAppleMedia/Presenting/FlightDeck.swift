private import Synchronization

/// Retains objects while the GPU reads them, up to a limited number (requirement row 72).
///
/// All methods may be called from any thread, as completion handlers run on threads of the graphics framework.
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
    /// The number of failed drawings.
    var failures: Int { state.withLock { $0.failures } }

    /// Retains an object until `land` is called with the returned ticket; `nil` if the limit is reached.
    func launch(_ held: Held) -> Int? {
        state.withLock { state in
            guard state.held.count < limit else { return nil }
            defer { state.next += 1 }
            state.held[state.next] = held
            return state.next
        }
    }

    /// Releases the object of a ticket; a second call does nothing.
    func land(_ ticket: Int, isDone: Bool) {
        // Release the object outside of the lock.
        let held = state.withLock { state in
            if !isDone { state.failures += 1 }
            return state.held.removeValue(forKey: ticket)
        }
        withExtendedLifetime(held) {}
    }
}
