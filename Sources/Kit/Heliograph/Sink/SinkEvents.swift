private import Synchronization

/// The events of a ``MirrorSink``, in order.
///
/// Frames that nobody takes are thrown away all together, and the source is asked for a keyframe; of other events the
/// newest are, when a thousand wait.
public final class SinkEvents: AsyncSequence, Sendable {
    fileprivate struct State {
        var waiting: [MirrorSink.Event] = []
        var frames = 0
        var reader: CheckedContinuation<MirrorSink.Event?, Never>?
        var isFinished = false
        var dropped = 0
    }

    /// A second of frames.
    private static let framesWaiting = 60
    private static let eventsWaiting = 1024

    private let state = Mutex(State())

    init() {}

    /// Reads the events one by one.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let events: SinkEvents

        /// The next event; `nil` when the session is over.
        public func next() async -> MirrorSink.Event? { await events.next() }
    }

    /// For one reader.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(events: self) }

    /// Frames that were thrown away because nobody took them.
    public var droppedFrames: Int { state.withLock { $0.dropped } }

    func put(_ event: MirrorSink.Event) { _ = add(event, isFrame: false) }

    /// False when the reader is too slow: a keyframe is needed.
    func put(frame: EncodedFrame) -> Bool { add(.received(.video, frame), isFrame: true) }

    func finish() {
        let reader = state.withLock { state in
            state.isFinished = true
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume(returning: nil)
    }

    private func add(_ event: MirrorSink.Event, isFrame: Bool) -> Bool {
        let (reader, isTaken) = state.withLock { state -> (CheckedContinuation<MirrorSink.Event?, Never>?, Bool) in
            if state.isFinished { return (nil, true) }
            if let reader = state.reader {
                state.reader = nil
                return (reader, true)
            }
            if isFrame, state.frames >= Self.framesWaiting {
                state.waiting.removeAll { if case .received = $0 { true } else { false } }
                state.dropped += state.frames + 1
                state.frames = 0
                return (nil, false)
            }
            if state.waiting.count >= Self.eventsWaiting { return (nil, false) }
            state.waiting.append(event)
            if isFrame { state.frames += 1 }
            return (nil, true)
        }
        reader?.resume(returning: event)
        return isTaken
    }

    private func next() async -> MirrorSink.Event? {
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

extension SinkEvents.State {
    fileprivate typealias Reader = CheckedContinuation<MirrorSink.Event?, Never>

    /// The next event, or whether there will be none; else the reader waits.
    fileprivate mutating func read(_ continuation: Reader, isOver: Bool) -> (MirrorSink.Event?, Bool, Reader?) {
        if !waiting.isEmpty {
            let event = waiting.removeFirst()
            if case .received = event { frames -= 1 }
            return (event, false, nil)
        }
        if isFinished || isOver { return (nil, true, nil) }
        defer { reader = continuation }
        return (nil, false, reader)
    }
}
