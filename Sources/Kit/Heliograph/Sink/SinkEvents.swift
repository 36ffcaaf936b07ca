private import HelioTransport

/// The events of a ``MirrorSink``, in order.
///
/// Frames that nobody takes are thrown away all together, and the source is asked for a keyframe; of other events the
/// newest are, when a thousand wait.
public final class SinkEvents: AsyncSequence, Sendable {
    private struct Waiting: Readable {
        private var events: [MirrorSink.Event] = []
        private var frames = 0
        private(set) var dropped = 0
        var isFinished = false

        /// Whether it is kept.
        mutating func add(_ event: MirrorSink.Event, isFrame: Bool) -> Bool {
            if isFinished { return true }
            if isFrame, frames >= SinkEvents.framesWaiting {
                events.removeAll { if case .received = $0 { true } else { false } }
                dropped += frames + 1
                frames = 0
                return false
            }
            if events.count >= SinkEvents.eventsWaiting { return false }
            events.append(event)
            if isFrame { frames += 1 }
            return true
        }

        mutating func takeFirst() -> MirrorSink.Event? {
            if events.isEmpty { return nil }
            let event = events.removeFirst()
            if case .received = event { frames -= 1 }
            return event
        }
    }

    /// A second of frames.
    private static let framesWaiting = 60
    private static let eventsWaiting = 1024

    private let queue = ReadQueue(Waiting())

    init() {}

    /// Reads the events one by one.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let events: SinkEvents

        /// The next event; `nil` when the session is over.
        public func next() async -> MirrorSink.Event? { await events.queue.next(isolation: nil) }
    }

    /// For one reader.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(events: self) }

    /// Frames that were thrown away because nobody took them.
    public var droppedFrames: Int { queue.update { waiting, _ in waiting.dropped } }

    func put(_ event: MirrorSink.Event) { _ = queue.updateAndWake { $0.add(event, isFrame: false) } }

    /// False when the reader is too slow: a keyframe is needed.
    func put(frame: EncodedFrame) -> Bool { queue.updateAndWake { $0.add(.received(.video, frame), isFrame: true) } }

    func finish() { queue.updateAndWake { $0.isFinished = true } }
}
