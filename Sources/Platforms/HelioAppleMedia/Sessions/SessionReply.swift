private import Dispatch
private import HelioCore
private import Synchronization

/// The answer of a session to one call: given once, on any thread, while the caller waits for a limited time.
package final class SessionReply<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)
    private let arrival = DispatchSemaphore(value: 0)

    package init() {}

    /// Sets the answer. Only the first one counts.
    package func give(_ new: Value) {
        let isFirst = value.withLock { value in
            guard value == nil else { return false }
            value = new
            return true
        }
        if isFirst { arrival.signal() }
    }

    /// Waits for the answer, `patience` at most; `nil` if none has come. May be called once.
    package func wait(atMost patience: Duration) -> Value? {
        let nanoseconds = Int(clamping: max(0, patience.nanoseconds))
        _ = arrival.wait(timeout: .now() + .nanoseconds(nanoseconds))
        return value.withLock { $0 }
    }
}
