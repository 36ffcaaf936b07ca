private import DequeModule
internal import HelioSCTP

/// The queue of a channel's messages between the app's tasks and the engine on the event loop: a sender leaves its
/// message here and goes on, and the loop takes all that have come at once.
struct ChannelOutbox {
    enum Verdict {
        /// - Parameter isFirst: true where the loop has to be told.
        case taken(isFirst: Bool)
        case full
        case notOpen
        case tooLong
    }

    /// The cost of the waiting messages from which on senders have to wait, until half has gone. So at most this and
    /// one message wait.
    static let limit = 256 * 1024
    /// The cost of a message beside its bytes.
    private static let overhead = 64

    private enum State {
        case opening, open, closing, closed
    }

    private var state = State.opening
    /// The longest message that the peer takes and this end can send, in bytes.
    private var longest = 0
    private var waiting: Deque<DataChannelMessage> = []
    private var cost = 0
    private(set) var bytes = 0
    /// True where the loop has been told, or the engine is full and will tell when it has room.
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

    /// Makes a sender wait for room.
    ///
    /// - Returns: `false` where there is no need to wait any more.
    mutating func wait(_ sender: CheckedContinuation<Void, Never>) -> Bool {
        guard state == .open, cost > Self.limit / 2 else { return false }
        senders.append(sender)
        return true
    }

    /// Takes nothing more; messages that wait are still sent.
    ///
    /// - Returns: the senders to resume.
    mutating func beginClosing() -> [CheckedContinuation<Void, Never>] {
        if state == .open || state == .opening { state = .closing }
        return takeSenders()
    }

    // MARK: On the loop

    mutating func open(longest: Int) {
        guard state == .opening else { return }
        state = .open
        self.longest = longest
    }

    /// The next message, which stays until the engine has taken it. Where there is none, the loop is to be told of the
    /// next.
    mutating func next() -> DataChannelMessage? {
        if waiting.isEmpty { isTold = false }
        return waiting.first
    }

    /// Removes the next message: the engine has taken it, or never will.
    mutating func removeNext() {
        guard let message = waiting.popFirst() else { return }
        bytes -= message.bytes.count
        cost -= message.bytes.count + Self.overhead
    }

    /// True once all messages that were left before the end have gone.
    var isDone: Bool { state == .closing && waiting.isEmpty }

    /// - Returns: the senders to resume, as there is room.
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
