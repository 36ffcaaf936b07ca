package import HelioCore
private import HelioGround

/// The machine's clock, and a wait for a signal. Several signals before a wait count as one.
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
