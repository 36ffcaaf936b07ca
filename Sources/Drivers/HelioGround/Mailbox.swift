private import DequeModule
private import Synchronization

/// A bounded queue to an event loop, or to another thread that the sender has to wake. A frame crosses thread
/// boundaries only through this queue.
///
/// `put` reports whether the queue was empty; only then does the sender wake the receiver, which takes all elements. So
/// a burst needs one wake-up. A full queue refuses an element; the sender counts the refusal and requests a keyframe.
package final class Mailbox<Element: Sendable>: Sendable {
    private let capacity: Int
    private let queue = Mutex(Deque<Element>())

    package init(capacity: Int) {
        self.capacity = capacity
    }

    package enum Outcome: Sendable {
        /// The element was queued in an empty queue; the receiver must be woken.
        case first
        /// The element was queued behind others; the receiver was woken before.
        case queued
        /// The element was dropped, because the receiver is too slow.
        case full
    }

    /// - Parameter reserve: the number of places reserved for other elements; an element that would take one of them is
    ///   refused.
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
