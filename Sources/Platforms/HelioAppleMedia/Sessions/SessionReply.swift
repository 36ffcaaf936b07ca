private import Dispatch
private import HelioCore
private import Synchronization

/// The one answer of a session to one call, which comes on any thread: whoever has called waits for it, but not for ever.
package final class SessionReply<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)
    private let arrival = DispatchSemaphore(value: 0)

    package init() {}

    /// Gives the answer. Only the first one counts.
    package func give(_ new: Value) {
        let isFirst = value.withLock { value in
            guard value == nil else { return false }
            value = new
            return true
        }
        if isFirst { arrival.signal() }
    }

    /// Waits for the answer, for so long at most; `nil` where none has come by then. For one call.
    package func wait(atMost patience: Duration) -> Value? {
        let nanoseconds = Int(clamping: max(0, patience.nanoseconds))
        _ = arrival.wait(timeout: .now() + .nanoseconds(nanoseconds))
        return value.withLock { $0 }
    }
}
