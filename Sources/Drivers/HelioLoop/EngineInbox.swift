internal import HelioCore
private import HelioGround
package import NIOCore
private import Synchronization

/// A bounded queue of inputs from other threads to an engine on an event loop. A burst of inputs wakes the loop once.
package final class EngineInbox<Input: Sendable>: DropCounting, Sendable {
    /// The name by which refused inputs are counted.
    private let refusedAs: String
    private let loop: any EventLoop
    private let feed: @Sendable (Input) -> Void
    private let mailbox: Mailbox<Input>
    private let refusals = Atomic(0)

    /// - Parameters:
    ///   - capacity: the maximum number of queued inputs. A full queue means that the loop is stuck; the newest input
    ///     is then refused.
    ///   - name: the name by which refused inputs are counted.
    ///   - feed: called on the loop with each input, oldest first.
    package init(
        capacity: Int, refusedAs name: String, on loop: any EventLoop, feed: @escaping @Sendable (Input) -> Void
    ) {
        refusedAs = name
        self.loop = loop
        self.feed = feed
        mailbox = Mailbox(capacity: capacity)
    }

    /// Queues an input. Callable from any thread; never blocks.
    ///
    /// - Parameter reserve: the number of places reserved for other inputs; an input that would take one of them is
    ///   refused.
    /// - Returns: true if the input was queued, false if the queue is full.
    package func put(_ input: consuming Input, leaving reserve: Int = 0) -> Bool {
        switch mailbox.put(input, leaving: reserve) {
        case .first:
            loop.execute { [self] in
                for input in mailbox.takeAll() { feed(input) }
            }
            return true
        case .queued:
            return true
        case .full:
            refusals.add(1, ordering: .relaxed)
            return false
        }
    }

    /// The number of inputs refused since the start.
    package var allDrops: [String: Int] { .sum([refusedAs: refusals.load(ordering: .relaxed)]) }
}
