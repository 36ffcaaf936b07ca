private import Synchronization

/// The events of a ``PeerConnection``, in order, for one reader.
///
/// Pictures that nobody takes are thrown away all together, and the peer is asked for a keyframe; of sound, what comes
/// while ten seconds wait. Messages are not: an app that lets more than 64 MiB of them wait, or that takes no events at
/// all, loses the connection.
public final class PeerEvents: AsyncSequence, Sendable {
    /// What became of an event.
    enum Outcome {
        case taken
        /// Pictures were thrown away: a keyframe is needed.
        case picturesDropped
        /// Nobody reads.
        case full
    }

    fileprivate struct State {
        var waiting: [PeerEvent?] = []
        var head = 0
        var pictures = 0
        var sounds = 0
        var messageBytes = 0
        var reader: CheckedContinuation<PeerEvent?, Never>?
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

    private let state = Mutex(State())

    init() {}

    /// Reads the events one by one.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let events: PeerEvents

        /// The next event; `nil` when the connection is closed.
        public func next() async -> PeerEvent? { await events.next() }
    }

    /// For one reader.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(events: self) }

    /// Pictures that were thrown away because nobody took them.
    public var droppedPictures: Int { state.withLock { $0.dropped } }

    /// Packets of sound that were thrown away because nobody took them.
    public var droppedSounds: Int { state.withLock { $0.droppedSounds } }

    func put(_ event: PeerEvent) -> Outcome {
        let (reader, outcome) = state.withLock { $0.add(event) }
        reader?.resume(returning: event)
        return outcome
    }

    func finish() {
        let reader = state.withLock { state in
            state.isFinished = true
            defer { state.reader = nil }
            return state.waiting.count == state.head ? state.reader : nil
        }
        reader?.resume(returning: nil)
    }

    private func next() async -> PeerEvent? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
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

    fileprivate mutating func add(_ event: PeerEvent) -> (Reader?, PeerEvents.Outcome) {
        if isFinished { return (nil, .taken) }
        if let reader {
            self.reader = nil
            return (reader, .taken)
        }
        if case .video = event {
            if pictures >= PeerEvents.mostPictures {
                waiting = waiting[head...].filter { if case .video? = $0 { false } else { true } }
                head = 0
                dropped += pictures + 1
                pictures = 0
                return (nil, .picturesDropped)
            }
            pictures += 1
        }
        if case .sound = event {
            if sounds >= PeerEvents.mostSounds {
                droppedSounds += 1
                return (nil, .taken)
            }
            sounds += 1
        }
        let bytes = Self.size(of: event)
        guard waiting.count - head < PeerEvents.mostEvents, messageBytes + bytes <= PeerEvents.mostMessageBytes else {
            return (nil, .full)
        }
        messageBytes += bytes
        waiting.append(event)
        return (nil, .taken)
    }

    /// The next event, or whether there will be none; else the reader waits.
    fileprivate mutating func read(_ continuation: Reader, isOver: Bool) -> (PeerEvent?, Bool, Reader?) {
        if head < waiting.count, let event = waiting[head] {
            waiting[head] = nil
            head += 1
            if head > 1024, head * 2 > waiting.count {
                waiting.removeFirst(head)
                head = 0
            }
            switch event {
            case .video: pictures -= 1
            case .sound: sounds -= 1
            default: break
            }
            messageBytes -= Self.size(of: event)
            return (event, false, nil)
        }
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
