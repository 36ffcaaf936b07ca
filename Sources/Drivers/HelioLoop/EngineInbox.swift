private import HelioGround
package import NIOCore
private import Synchronization

/// A bounded queue of inputs from other threads to an engine on an event loop. A burst of inputs wakes the loop once.
package final class EngineInbox<Input: Sendable>: Sendable {
    private let loop: any EventLoop
    private let feed: @Sendable (Input) -> Void
    private let mailbox: Mailbox<Input>
    private let refusals = Atomic(0)

    /// - Parameters:
    ///   - capacity: the maximum number of queued inputs. A full queue means that the loop is stuck; the newest input
    ///     is then refused.
    ///   - feed: called on the loop with each input, oldest first.
    package init(capacity: Int, on loop: any EventLoop, feed: @escaping @Sendable (Input) -> Void) {
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

    /// Adds the number of inputs refused since the start to `drops`, unless it is 0.
    package func tellRefused(as name: String, in drops: inout [String: Int]) {
        let refused = refusals.load(ordering: .relaxed)
        if refused > 0 { drops[name, default: 0] += refused }
    }
}
