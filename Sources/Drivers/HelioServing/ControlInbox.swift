internal import HelioCore
private import HelioLoop
internal import HelioRemote
private import Synchronization

/// The queue of inputs to `HostControl`, from the event loop and other threads to the thread of its port. Queuing an
/// input never blocks, even while the system does not read injected input.
///
/// The queue is bounded. While it is full, viewers' messages are refused: viewers repeat important messages. Of inputs
/// that report a state, only the newest is kept; the inputs of a viewer that has joined and left in between are
/// removed.
final class ControlInbox: DropCounting, Sendable {
    private struct Waiting: QueuedEvent {
        let input: HostControl.Input

        var standing: EventStanding {
            switch input {
            case .open(let terms, _): .begun("viewer \(terms.viewer.rawValue)")
            case .close(let viewer): .over("viewer \(viewer.rawValue)")
            case .moved(let viewer, _): .repeated("place of \(viewer.rawValue)")
            case .permit(let viewer, _): .newest("permission of \(viewer.rawValue)")
            case .web(let id, .open): .begun("browser \(id.rawValue)")
            case .web(let id, .close): .over("browser \(id.rawValue)")
            case .web(let id, .permit): .newest("permission of browser \(id.rawValue)")
            case .screen: .newest("screen")
            case .cursorMoved: .newest("pointer")
            case .monitors: .newest("monitors")
            case .web(_, .message), .web(_, .heard), .inside, .datagram: .kept
            }
        }

        /// True for viewers' messages, which are refused while the queue is full.
        var mayBeRefused: Bool {
            switch input {
            case .web(_, .message), .web(_, .heard), .inside, .datagram: true
            default: false
            }
        }
    }

    /// The maximum number of queued messages of viewers: 4 MiB if all have the maximum length.
    private static let capacity = 256

    private let queue = Mutex(EventQueue<Waiting>(capacity: ControlInbox.capacity))
    private let refused = Atomic(0)
    private let forged = Atomic(0)

    /// Queues an input. Callable from any thread; never blocks.
    ///
    /// - Returns: true if the port's thread has to be woken.
    func put(_ input: HostControl.Input) -> Bool {
        let waiting = Waiting(input: input)
        return queue.withLock { queue in
            if queue.count >= Self.capacity, waiting.mayBeRefused {
                refused.add(1, ordering: .relaxed)
                return false
            }
            queue.put(waiting)
            return queue.count == 1
        }
    }

    /// Makes the input of a datagram of the port's socket; `nil`, and counted, if its source address is forged: no
    /// socket's path is virtual.
    func input(of datagram: [UInt8], from path: PathID) -> HostControl.Input? {
        guard path.isVirtual else { return .datagram(datagram, from: path) }
        forged.add(1, ordering: .relaxed)
        return nil
    }

    /// Removes and returns all inputs, oldest first.
    func takeAll() -> [HostControl.Input] { queue.withLock { $0.takeAll() }.map(\.input) }

    /// Counts of all drops, by name.
    var allDrops: [String: Int] {
        .sum(
            queue.withLock { $0.drops }.named("control-"),
            [
                "control-queue-full": refused.load(ordering: .relaxed),
                "control-forged-source": forged.load(ordering: .relaxed),
            ])
    }
}
