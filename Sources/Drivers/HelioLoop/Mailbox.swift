private import DequeModule
private import Synchronization

/// A bounded queue between the media thread and an event loop: the only thread boundary that a frame crosses.
///
/// The sender learns whether the box was empty and wakes the receiver only then; the receiver takes all elements: one
/// wake-up for a burst. A full box refuses an element; the sender counts that and requests a keyframe.
package final class Mailbox<Element: Sendable>: Sendable {
    private let capacity: Int
    private let queue = Mutex(Deque<Element>())

    package init(capacity: Int) {
        self.capacity = capacity
    }

    package enum Outcome: Sendable {
        /// Queued in an empty box: the receiver must be woken.
        case first
        /// Queued behind others: the receiver was woken before.
        case queued
        /// Dropped: the receiver is too slow.
        case full
    }

    /// - Parameter reserve: the places that are left to other elements: with fewer free ones, this one is refused.
    package func put(_ element: consuming Element, leaving reserve: Int = 0) -> Outcome {
        let element = element
        return queue.withLock { queue in
            if queue.count >= capacity - reserve { return .full }
            queue.append(element)
            return queue.count == 1 ? .first : .queued
        }
    }

    /// Removes and returns all elements, oldest first.
    package func takeAll() -> [Element] {
        queue.withLock { queue in
            let all = Array(queue)
            queue.removeAll(keepingCapacity: true)
            return all
        }
    }
}
