private import Dispatch
private import HelioCore
private import Synchronization

/// Receives one result from another thread, which may deliver it late or never.
final class CompletionSlot<Result: Sendable>: Sendable {
    private enum State: Sendable {
        case waiting
        case filled(Result)
        /// The wait has ended without a result.
        case left
    }

    private let state = Mutex(State.waiting)
    private let bell = DispatchSemaphore(value: 0)

    /// Stores the result. Returns false if the wait has ended, or there is a result already.
    func fill(_ result: Result) -> Bool {
        let isWanted = state.withLock { state in
            guard case .waiting = state else { return false }
            state = .filled(result)
            return true
        }
        if isWanted { bell.signal() }
        return isWanted
    }

    /// Waits for the result, `patience` at most; `nil` if there is none by then: a later one is refused.
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
