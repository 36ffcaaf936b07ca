private import DequeModule
internal import HelioSCTP

/// The queue of a data channel's outbound messages between the app's tasks and the engine on the event loop. A sender
/// appends its message and returns; the loop later takes all queued messages at once.
struct ChannelOutbox {
    enum Verdict {
        /// The message is queued; `isFirst` is true if the loop has to be notified of it.
        case taken(isFirst: Bool)
        case full
        case notOpen
        case tooLong
    }

    /// The cost of the queued messages, in bytes, at which senders have to wait until the cost has fallen to half of
    /// it. The queue exceeds this limit by less than one message.
    static let limit = 256 * 1024
    /// The fixed overhead in the cost of each queued message, in bytes.
    private static let overhead = 64

    private enum State {
        case opening, open, closing, closed
    }

    private var state = State.opening
    /// The longest message that the peer accepts and this end can send, in bytes.
    private var longest = 0
    private var waiting: Deque<DataChannelMessage> = []
    private var cost = 0
    private(set) var bytes = 0
    /// True if the loop was notified and has not drained the queue yet, or if the engine is full and will report when
    /// it has room.
    private var isTold = false
    private var senders: [CheckedContinuation<Void, Never>] = []

    // MARK: On the app's side

    mutating func put(_ message: DataChannelMessage) -> Verdict {
        guard state == .open else { return .notOpen }
        let size = message.bytes.count
        guard size <= longest else { return .tooLong }
        guard cost < Self.limit else { return .full }
        waiting.append(message)
        cost += size + Self.overhead
        bytes += size
        defer { isTold = true }
        return .taken(isFirst: !isTold)
    }

    /// Suspends a sender until the queue has room.
    ///
    /// - Returns: `false` if there is room already, or the channel is not open. The caller then has to resume the
    ///   sender itself.
    mutating func wait(_ sender: CheckedContinuation<Void, Never>) -> Bool {
        guard state == .open, cost > Self.limit / 2 else { return false }
        senders.append(sender)
        return true
    }

    /// Refuses new messages; queued ones are still sent.
    ///
    /// - Returns: the senders to resume.
    mutating func beginClosing() -> [CheckedContinuation<Void, Never>] {
        if state == .open || state == .opening { state = .closing }
        return takeSenders()
    }

    // MARK: On the event loop

    mutating func open(longest: Int) {
        guard state == .opening else { return }
        state = .open
        self.longest = longest
    }

    /// Returns the next message without removing it. If the queue is empty, the next `put` notifies the loop again.
    mutating func next() -> DataChannelMessage? {
        if waiting.isEmpty { isTold = false }
        return waiting.first
    }

    /// Removes the next message, because the engine accepted it or never will.
    mutating func removeNext() {
        guard let message = waiting.popFirst() else { return }
        bytes -= message.bytes.count
        cost -= message.bytes.count + Self.overhead
    }

    /// True once the channel is closing and its queued messages have been sent.
    var isDone: Bool { state == .closing && waiting.isEmpty }

    /// - Returns: the senders to resume; none while the queue has no room for them.
    mutating func takeSenders() -> [CheckedContinuation<Void, Never>] {
        guard state != .open || cost <= Self.limit / 2 else { return [] }
        defer { senders = [] }
        return senders
    }

    /// - Returns: the senders to resume.
    mutating func close() -> [CheckedContinuation<Void, Never>] {
        state = .closed
        waiting = []
        (bytes, cost) = (0, 0)
        return takeSenders()
    }
}
