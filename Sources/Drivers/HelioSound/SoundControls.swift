private import Foundation
internal import HelioCore
private import HelioLoop

/// The orders of other threads to a thread that captures sound. The newest demand counts; a bell wakes the thread.
///
/// `@unchecked Sendable`: all state is used with the condition locked.
final class SoundControls: @unchecked Sendable {
    struct Orders: Sendable {
        var stop = false
        /// The new demand; `nil` if it has not changed.
        var demand: SoundDemand?
    }

    private let condition = NSCondition()
    private var orders = Orders()
    private var hasNews = false
    /// Wakes the thread while it waits for a device.
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

    /// Sets the function that wakes the thread while it waits in a device's read; `nil` while no device is open and it
    /// waits in `wait(until:)`.
    func listen(_ bell: (@Sendable () -> Void)?) { condition.withLock { self.bell = bell } }

    /// Takes the orders since the last call.
    func take() -> Orders {
        condition.withLock {
            hasNews = false
            defer { orders.demand = nil }
            return orders
        }
    }

    /// Waits for orders, or until the instant.
    func wait(until: Instant?, now: () -> Instant) {
        condition.withLock {
            while !hasNews { guard condition.wait(until: until, now: now()) else { return } }
        }
    }
}
