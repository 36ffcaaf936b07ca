private import HelioLoop

/// The events of a ``PeerConnection``, in order, for one reader.
///
/// If more than 120 pictures are unread, all of them are dropped, and a keyframe is requested from the peer. Sound is
/// dropped while 10 s of it are unread. Messages are never dropped: once 1 MiB or 8192 of them are unread, flow control
/// holds the peer's messages back. The connection is closed once 65,536 events or 64 MiB of messages are unread.
public final class PeerEvents: AsyncSequence, Sendable {
    /// The result of adding an event: whether a limit of the queue was reached.
    enum Outcome {
        case taken
        /// The queued pictures were dropped: a keyframe is needed.
        case picturesDropped
        /// Enough messages are queued: the peer's further messages have to be held back until the closure of `whenRoom`
        /// is called.
        case enough
        /// The queue is full, as the app does not read its events.
        case full
    }

    fileprivate struct Waiting: Readable {
        var waiting: [PeerEvent?] = []
        var head = 0
        var pictures = 0
        var messages = 0
        var sounds = 0
        var messageBytes = 0
        var holdsPeer = false
        var onRoom: (@Sendable () -> Void)?
        var onMessage: (@Sendable () -> Void)?
        /// True from a call of `onMessage`, which asks for `wake`, until `wake` is called.
        var isWakeDue = false
        var isFinished = false
        var dropped = 0
        var droppedSounds = 0
    }

    /// The maximum number of queued pictures: two seconds of them at 60 a second.
    fileprivate static let mostPictures = 120
    /// The maximum number of queued packets of sound, of 20 ms each.
    fileprivate static let mostSounds = 500
    fileprivate static let mostEvents = 65_536
    fileprivate static let mostMessageBytes = 64 << 20
    /// The number of queued messages at which the peer's messages are held back, until half of them are read.
    fileprivate static let enoughMessages = 8192
    fileprivate static let enoughMessageBytes = 1 << 20

    private let queue = ReadQueue(Waiting())

    init() {}

    /// Sets the closure that the reader's task calls when there is room again after `enough`.
    func whenRoom(_ body: @escaping @Sendable () -> Void) { queue.update { waiting, _ in waiting.onRoom = body } }

    /// The iterator over the connection's events. Two iterators share one queue, so each event reaches only one of
    /// them.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let events: PeerEvents

        /// The next event; `nil` when the connection is closed.
        public func next() async -> PeerEvent? { await events.next(isolation: nil) }

        /// The next event, without an actor hop if one is queued already.
        public func next(isolation actor: isolated (any Actor)?) async -> PeerEvent? {
            await events.next(isolation: actor)
        }
    }

    /// Makes the iterator, for one reader.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(events: self) }

    /// The number of pictures that were dropped because they were not read in time.
    public var droppedPictures: Int { queue.update { waiting, _ in waiting.dropped } }

    /// The number of packets of sound that were dropped because they were not read in time.
    public var droppedSounds: Int { queue.update { waiting, _ in waiting.droppedSounds } }

    /// Sets the closure that is called when a message arrives for a waiting reader; the closure has to call `wake`
    /// soon. Waking a task costs more than handling most messages, so messages that arrive together share one wake-up.
    /// All other events wake the reader at once.
    func whenMessage(_ body: @escaping @Sendable () -> Void) { queue.update { waiting, _ in waiting.onMessage = body } }

    func put(_ event: PeerEvent) -> Outcome {
        let (outcome, waking) = queue.update { $0.add(event, isAwaited: $1) }
        switch waking {
        case .now: wake()
        case .later(let ask): ask()
        case .none: break
        }
        return outcome
    }

    /// True while the peer's messages are held back.
    var holdsPeer: Bool { queue.update { waiting, _ in waiting.holdsPeer } }

    /// True while a task waits for an event.
    var hasReader: Bool { queue.update { _, isAwaited in isAwaited } }

    /// Wakes the reader, if it waits and an event is queued.
    func wake() { queue.updateAndWake { $0.isWakeDue = false } }

    func finish() { queue.updateAndWake { $0.finish() } }

    private func next(isolation actor: isolated (any Actor)?) async -> PeerEvent? {
        let (ready, onRoom) = queue.update { waiting, _ in
            (waiting.takeFirst(), waiting.findsRoom() ? waiting.onRoom : nil)
        }
        onRoom?()
        if let ready { return ready }
        return await queue.next(isolation: actor)
    }
}

extension PeerEvents.Waiting {
    fileprivate enum Waking {
        case none, now
        case later(@Sendable () -> Void)
    }

    fileprivate mutating func add(_ event: PeerEvent, isAwaited: Bool) -> (PeerEvents.Outcome, Waking) {
        if isFinished { return (.taken, .none) }
        let outcome = keep(event)
        guard isAwaited else { return (outcome, .none) }
        guard case .message = event, let onMessage else { return (outcome, .now) }
        defer { isWakeDue = true }
        return (outcome, isWakeDue ? .none : .later(onMessage))
    }

    fileprivate mutating func finish() {
        isWakeDue = false
        isFinished = true
    }

    private mutating func keep(_ event: PeerEvent) -> PeerEvents.Outcome {
        if case .video = event {
            if pictures >= PeerEvents.mostPictures {
                waiting = waiting[head...].filter { if case .video? = $0 { false } else { true } }
                head = 0
                dropped += pictures + 1
                pictures = 0
                return .picturesDropped
            }
            pictures += 1
        }
        if case .sound = event {
            if sounds >= PeerEvents.mostSounds {
                droppedSounds += 1
                return .taken
            }
            sounds += 1
        }
        let bytes = Self.size(of: event)
        guard waiting.count - head < PeerEvents.mostEvents, messageBytes + bytes <= PeerEvents.mostMessageBytes else {
            return .full
        }
        messageBytes += bytes
        waiting.append(event)
        guard case .message = event else { return .taken }
        messages += 1
        guard !holdsPeer, messages >= PeerEvents.enoughMessages || messageBytes >= PeerEvents.enoughMessageBytes else {
            return .taken
        }
        holdsPeer = true
        return .enough
    }

    fileprivate mutating func takeFirst() -> PeerEvent? {
        guard head < waiting.count, let event = waiting[head] else { return nil }
        waiting[head] = nil
        head += 1
        if head == waiting.count {
            waiting.removeAll(keepingCapacity: head <= 1024)
            head = 0
        } else if head > 1024, head * 2 > waiting.count {
            waiting.removeFirst(head)
            head = 0
        }
        switch event {
        case .video: pictures -= 1
        case .sound: sounds -= 1
        case .message: messages -= 1
        default: break
        }
        messageBytes -= Self.size(of: event)
        return event
    }

    /// Ends the hold on the peer's messages once half of the queued messages have been read. Returns true if it ended
    /// the hold.
    fileprivate mutating func findsRoom() -> Bool {
        guard holdsPeer, messages <= PeerEvents.enoughMessages / 2,
            messageBytes <= PeerEvents.enoughMessageBytes / 2
        else { return false }
        holdsPeer = false
        return true
    }

    private static func size(of event: PeerEvent) -> Int {
        switch event {
        case .message(_, .text(let text)): text.utf8.count
        case .message(_, .binary(let bytes)): bytes.count
        default: 0
        }
    }
}
