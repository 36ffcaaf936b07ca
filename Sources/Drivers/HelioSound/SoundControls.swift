private import Foundation
internal import HelioCore
private import HelioLoop

/// The demands of other threads on a thread that captures sound: the newest counts, with a bell to wake it.
///
/// `@unchecked Sendable`: all of it is touched with the condition locked.
final class SoundControls: @unchecked Sendable {
    struct Orders: Sendable {
        var stop = false
        /// What is wanted, where that has changed.
        var demand: SoundDemand?
    }

    private let condition = NSCondition()
    private var orders = Orders()
    private var hasNews = false
    /// Wakes the thread where it waits for a device.
    private var bell: (@Sendable () -> Void)?

    func stop() { give { $0.stop = true } }
    func demand(_ demand: SoundDemand) { give { $0.demand = demand } }

    private func give(_ change: (inout Orders) -> Void) {
        let bell = condition.withLock {
            change(&orders)
            hasNews = true
            condition.broadcast()
            return self.bell
        }
        bell?()
    }

    /// Sets what wakes the thread while it waits elsewhere; `nil`: it waits here alone.
    func listen(_ bell: (@Sendable () -> Void)?) { condition.withLock { self.bell = bell } }

    /// Takes the orders since the last call.
    func take() -> Orders {
        condition.withLock {
            hasNews = false
            defer { orders.demand = nil }
            return orders
        }
    }

    /// Waits for orders, or until then.
    func wait(until: Instant?, now: () -> Instant) {
        condition.withLock {
            while !hasNews { guard condition.wait(until: until, now: now()) else { return } }
        }
    }
}
