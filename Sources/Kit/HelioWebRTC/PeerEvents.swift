private import Synchronization

/// The events of a ``PeerConnection``, in order, for one reader.
///
/// Pictures that nobody takes are thrown away all together, and the peer is asked for a keyframe; of sound, what comes
/// while ten seconds wait. Messages are not: from a mebibyte of them on, the peer has to wait before it sends more. An
/// app that takes no events at all loses the connection once too many wait.
public final class PeerEvents: AsyncSequence, Sendable {
    /// What became of an event.
    enum Outcome {
        case taken
        /// Pictures were thrown away: a keyframe is needed.
        case picturesDropped
        /// Enough messages wait: the peer had better not send more until there is room, which is told.
        case enough
        /// Nobody reads.
        case full
    }

    fileprivate struct State {
        var waiting: [PeerEvent?] = []
        var head = 0
        var pictures = 0
        var messages = 0
        var sounds = 0
        var messageBytes = 0
        var holdsPeer = false
        var onRoom: (@Sendable () -> Void)?
        var reader: CheckedContinuation<PeerEvent?, Never>?
        var onMessage: (@Sendable () -> Void)?
        /// Somebody will wake the reader.
        var isWakeDue = false
        var isFinished = false
        var dropped = 0
        var droppedSounds = 0
    }

    /// Two seconds' worth.
    fileprivate static let mostPictures = 120
    /// Of 20 ms each.
    fileprivate static let mostSounds = 500
    fileprivate static let mostEvents = 65_536
    fileprivate static let mostMessageBytes = 64 << 20
    /// Of messages, from where on the peer has to wait; it goes on with half of them.
    fileprivate static let enoughMessages = 8192
    fileprivate static let enoughMessageBytes = 1 << 20

    private let state = Mutex(State())

    init() {}

    /// Called where there is room again after `enough`, by the reader's task.
    func whenRoom(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.onRoom = body } }

    /// Reads the events one by one.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let events: PeerEvents

        /// The next event; `nil` when the connection is closed.
        public func next() async -> PeerEvent? { await events.next(isolation: nil) }

        /// The next event, without a detour where it is there already.
        public func next(isolation actor: isolated (any Actor)?) async -> PeerEvent? {
            await events.next(isolation: actor)
        }
    }

    /// For one reader.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(events: self) }

    /// Pictures that were thrown away because nobody took them.
    public var droppedPictures: Int { state.withLock { $0.dropped } }

    /// Packets of sound that were thrown away because nobody took them.
    public var droppedSounds: Int { state.withLock { $0.droppedSounds } }

    /// Called where a message has come for a reader that waits: `wake` is to be called soon. To wake a task costs more
    /// than most messages do, and those that come together need it once. For all else it is woken at once.
    func whenMessage(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.onMessage = body } }

    func put(_ event: PeerEvent) -> Outcome {
        let (outcome, waking) = state.withLock { $0.add(event) }
        switch waking {
        case .now: wake()
        case .later(let ask): ask()
        case .none: break
        }
        return outcome
    }

    /// The peer is to wait before it sends more.
    var holdsPeer: Bool { state.withLock { $0.holdsPeer } }

    /// A task waits for an event.
    var hasReader: Bool { state.withLock { $0.reader != nil } }

    /// Wakes the reader, if it waits for what there is.
    func wake() {
        let (reader, event) = state.withLock { $0.takeReader() }
        reader?.resume(returning: event)
    }

    func finish() {
        state.withLock { $0.isFinished = true }
        wake()
    }

    private func next(isolation actor: isolated (any Actor)?) async -> PeerEvent? {
        let (ready, onRoom) = state.withLock { ($0.takeFirst(), $0.findsRoom() ? $0.onRoom : nil) }
        onRoom?()
        if let ready { return ready }
        return await withTaskCancellationHandler {
            await withCheckedContinuation(isolation: actor) { continuation in
                // A second reader takes the first one's place.
                let (event, isOver, earlier) = state.withLock { $0.read(continuation, isOver: Task.isCancelled) }
                earlier?.resume(returning: nil)
                if event != nil || isOver { continuation.resume(returning: event) }
            }
        } onCancel: {
            let reader = state.withLock { state in
                defer { state.reader = nil }
                return state.reader
            }
            reader?.resume(returning: nil)
        }
    }
}

extension PeerEvents.State {
    typealias Reader = CheckedContinuation<PeerEvent?, Never>

    fileprivate enum Waking {
        case none, now
        case later(@Sendable () -> Void)
    }

    fileprivate mutating func add(_ event: PeerEvent) -> (PeerEvents.Outcome, Waking) {
        if isFinished { return (.taken, .none) }
        let outcome = keep(event)
        guard reader != nil else { return (outcome, .none) }
        guard case .message = event, let onMessage else { return (outcome, .now) }
        defer { isWakeDue = true }
        return (outcome, isWakeDue ? .none : .later(onMessage))
    }

    /// The reader that waits, with what it is to be given.
    fileprivate mutating func takeReader() -> (Reader?, PeerEvent?) {
        isWakeDue = false
        guard let reader, isFinished || head < waiting.count else { return (nil, nil) }
        self.reader = nil
        return (reader, takeFirst())
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

    /// The peer was to wait, and need not any more.
    fileprivate mutating func findsRoom() -> Bool {
        guard holdsPeer, messages <= PeerEvents.enoughMessages / 2,
            messageBytes <= PeerEvents.enoughMessageBytes / 2
        else { return false }
        holdsPeer = false
        return true
    }

    /// The next event, or whether there will be none; else the reader waits.
    fileprivate mutating func read(_ continuation: Reader, isOver: Bool) -> (PeerEvent?, Bool, Reader?) {
        if let event = takeFirst() { return (event, false, nil) }
        if isFinished || isOver { return (nil, true, nil) }
        defer { reader = continuation }
        return (nil, false, reader)
    }

    private static func size(of event: PeerEvent) -> Int {
        switch event {
        case .message(_, .text(let text)): text.utf8.count
        case .message(_, .binary(let bytes)): bytes.count
        default: 0
        }
    }
}
