private import Dispatch
private import HelioCore
private import Synchronization

/// A place for one result that comes from another thread, perhaps late, perhaps never.
final class CompletionSlot<Result: Sendable>: Sendable {
    private enum State: Sendable {
        case waiting
        case filled(Result)
        /// Nobody waits any more.
        case left
    }

    private let state = Mutex(State.waiting)
    private let bell = DispatchSemaphore(value: 0)

    /// Stores the result. False if the result comes too late, or is not the first.
    func fill(_ result: Result) -> Bool {
        let isWanted = state.withLock { state in
            guard case .waiting = state else { return false }
            state = .filled(result)
            return true
        }
        if isWanted { bell.signal() }
        return isWanted
    }

    /// Waits for the result, `patience` at most; `nil` if it has not come: a later result is refused.
    func take(within patience: Duration) -> Result? {
        let nanoseconds = Int(clamping: max(0, patience.nanoseconds))
        _ = bell.wait(timeout: .now() + .nanoseconds(nanoseconds))
        return state.withLock { state in
            defer { state = .left }
            guard case .filled(let result) = state else { return nil }
            return result
        }
    }
}
