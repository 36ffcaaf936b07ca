private import Dispatch
private import HelioCore
private import Synchronization

/// The only answer of a session to one call, which comes on any thread; the caller waits for it, for a limited time.
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
