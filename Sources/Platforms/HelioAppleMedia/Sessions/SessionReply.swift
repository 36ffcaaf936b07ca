private import HelioCore
private import HelioGround

/// A session's result of one call, for which the caller waits a limited time. The session may set it on any thread,
/// late or never.
package final class SessionReply<Value: Sendable>: Sendable {
    private struct State: Sendable {
        var value: Value?
        /// True once `wait` has ended without a value.
        var isOver = false
    }

    private let state = ThreadMailbox(State())

    package init() {}

    /// Sets the result. Returns false, and ignores it, if there is one already or the wait has ended.
    @discardableResult
    package func give(_ new: Value) -> Bool {
        state.put { state in
            guard state.value == nil, !state.isOver else { return false }
            state.value = new
            return true
        }
    }

    /// Waits for the result, at most for `patience`; returns `nil` if there is none by then, and refuses later ones.
    /// May be called once.
    package func wait(atMost patience: Duration) -> Value? {
        let value = state.take(until: MonotonicClock.now + patience) { $0.value }
        guard value == nil else { return value }
        return state.withLock { state in
            state.isOver = true
            return state.value
        }
    }
}
