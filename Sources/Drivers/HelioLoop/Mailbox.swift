private import DequeModule
private import Synchronization

/// A bounded queue between the media thread and an event loop: the one boundary that a frame crosses.
///
/// The sender learns whether the box was empty, and only then wakes the receiver, who takes all there is:
/// one wake-up for a burst. A full box refuses; the sender counts that and asks for a keyframe.
package final class Mailbox<Element: Sendable>: Sendable {
    private let capacity: Int
    private let queue = Mutex(Deque<Element>())

    package init(capacity: Int) {
        self.capacity = capacity
    }

    package enum Outcome: Sendable {
        /// Taken: the receiver has to be woken.
        case first
        /// Taken: the receiver has been woken already.
        case queued
        /// Dropped: the receiver is too slow.
        case full
    }

    package func put(_ element: consuming Element) -> Outcome {
        let element = element
        return queue.withLock { queue in
            if queue.count >= capacity { return .full }
            queue.append(element)
            return queue.count == 1 ? .first : .queued
        }
    }

    /// Takes all elements that wait, oldest first.
    package func takeAll() -> [Element] {
        queue.withLock { queue in
            let all = Array(queue)
            queue.removeAll(keepingCapacity: true)
            return all
        }
    }
}
