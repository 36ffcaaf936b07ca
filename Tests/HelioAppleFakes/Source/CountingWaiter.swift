import HelioAppleMedia
package import HelioCore
import HelioGround
import Synchronization

/// The machine's clock and wait, with a count of the reads of the time.
package final class CountingWaiter: CaptureWaiting {
    private let waiter = CaptureWaiter()
    private let count = Atomic(0)

    package init() {}

    package var looks: Int { count.load(ordering: .relaxed) }

    package var now: Instant {
        count.add(1, ordering: .relaxed)
        return waiter.now
    }

    package func signal() { waiter.signal() }
    package func wait(until: Instant?) { waiter.wait(until: until) }
}
