package import HelioCore
private import HelioGround
internal import Synchronization

/// A clock, and a wait that another thread can end. Tests substitute it to run on virtual time.
package protocol CaptureWaiting: AnyObject, Sendable {
    var now: Instant { get }
    /// Ends the present wait, or if there is none, the next wait. Callable from any thread.
    func signal()
    /// Waits for `signal`, at most until `until`. May return early.
    func wait(until: Instant?)
}

/// The real implementation: waits on the machine's clock. Several signals before a wait count as one.
package final class CaptureWaiter: CaptureWaiting {
    private let isSignalled = ThreadMailbox(false)

    package init() {}

    package var now: Instant { MonotonicClock.now }

    package func signal() { isSignalled.put { $0 = true } }

    package func wait(until: Instant?) {
        _ = isSignalled.take(until: until) { flag -> Bool? in
            guard flag else { return nil }
            flag = false
            return true
        }
    }
}

/// A flag that records a pending wake-up; any thread may set it.
final class WakeFlag: Sendable {
    private let isSet = Mutex(false)

    func set() { isSet.withLock { $0 = true } }

    /// Returns true if the flag was set, and clears it.
    func take() -> Bool {
        isSet.withLock { flag in
            defer { flag = false }
            return flag
        }
    }
}
