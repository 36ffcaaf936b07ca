private import HelioCore
private import HelioGround

/// The answer of a session to one call: given once, on any thread, perhaps late or never, while the caller waits for a
/// limited time.
package final class SessionReply<Value: Sendable>: Sendable {
    private struct State: Sendable {
        var value: Value?
        /// True once the wait has ended.
        var isOver = false
    }

    private let state = ThreadMailbox(State())

    package init() {}

    /// Sets the answer. Returns false if there is one already, or the wait has ended.
    @discardableResult
    package func give(_ new: Value) -> Bool {
        state.put { state in
            guard state.value == nil, !state.isOver else { return false }
            state.value = new
            return true
        }
    }

    /// Waits for the answer, `patience` at most; `nil` if none has come: a later one is refused. May be called once.
    package func wait(atMost patience: Duration) -> Value? {
        let value = state.take(until: MonotonicClock.now + patience) { $0.value }
        guard value == nil else { return value }
        return state.withLock { state in
            state.isOver = true
            return state.value
        }
    }
}
