internal import Dispatch
package import HelioCore
internal import Synchronization

/// The machine's clock and a wait on a semaphore. Several signals before a wait count as one.
package final class CaptureWaiter: CaptureWaiting {
    private let semaphore = DispatchSemaphore(value: 0)
    private let isSignalled = Mutex(false)
    private let clock: @Sendable () -> Instant

    /// - Parameter clock: the machine's monotonic clock, as `HelioLoop` reads it.
    package init(clock: @escaping @Sendable () -> Instant) { self.clock = clock }

    package var now: Instant { clock() }

    package func signal() {
        let isNews = isSignalled.withLock { flag in
            defer { flag = true }
            return !flag
        }
        if isNews { semaphore.signal() }
    }

    package func wait(until: Instant?) {
        if let until {
            // An hour at most: the caller checks its deadline and waits again.
            let nanoseconds = min(3_600_000_000_000, max(0, (until - now).nanoseconds))
            guard semaphore.wait(timeout: .now() + .nanoseconds(Int(nanoseconds))) == .success else { return }
        } else {
            semaphore.wait()
        }
        isSignalled.withLock { $0 = false }
    }
}
