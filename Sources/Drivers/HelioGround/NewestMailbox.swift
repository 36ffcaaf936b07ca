package import HelioCore

/// A mailbox for orders to a thread. Only the newest order of each kind is kept, so the mailbox never overflows.
///
/// `Orders` is a value whose fields other threads set or merge; the thread takes the whole value at once.
package final class NewestMailbox<Orders: Sendable>: Sendable {
    private struct Contents: Sendable {
        var orders: Orders
        var hasNews = false
        var bell: (@Sendable () -> Void)?
    }

    private let contents: ThreadMailbox<Contents>
    private let none: Orders

    /// - Parameters:
    ///   - none: the value without any order, to which `take` resets the mailbox.
    ///   - bell: wakes the thread if it does not wait in `wait(until:)`; called on any thread.
    package init(_ none: Orders, bell: (@Sendable () -> Void)? = nil) {
        self.none = none
        contents = ThreadMailbox(Contents(orders: none, bell: bell))
    }

    /// Changes the orders, and wakes the thread.
    package func give(_ change: (inout Orders) -> Void) {
        let bell = contents.put { contents in
            change(&contents.orders)
            contents.hasNews = true
            return contents.bell
        }
        bell?()
    }

    /// Changes the orders without waking the thread, to remove orders that are done.
    package func update(_ change: (inout Orders) -> Void) { contents.withLock { change(&$0.orders) } }

    /// Returns the orders given since the last call, and removes them.
    package func take() -> Orders {
        contents.withLock { contents in
            contents.hasNews = false
            defer { contents.orders = none }
            return contents.orders
        }
    }

    /// Replaces the bell; `nil` while the thread waits in `wait(until:)`.
    package func listen(_ bell: (@Sendable () -> Void)?) { contents.withLock { $0.bell = bell } }

    /// Waits for orders, but no longer than until the instant; `nil` waits without limit.
    package func wait(until: Instant?) { _ = contents.take(until: until) { $0.hasNews ? true : nil } }
}
