internal import HelioCore
package import HelioLoop
internal import HelioSharing

/// The events of a ``MirrorSink``, in order, for one reader.
///
/// If more than 60 frames or 400 packets of sound are unread, they are dropped, and for frames a keyframe is requested.
/// No other important event is lost, however late the app reads it: once 1024 events are queued, events that report the
/// same state are merged into the newest. ``MirrorSink/drops`` has the counts.
public final class SinkEvents: AsyncSequence, DropCounting, Sendable {
    private struct Waiting: DropCounting, Readable {
        private var events = EventQueue<MirrorSink.Event>(capacity: SinkEvents.eventsWaiting)
        private var frames = 0
        private(set) var dropped = 0
        private var packets = 0
        private var droppedPackets = 0

        var isFinished: Bool { events.isFinished }

        /// Appends a frame. Returns false if too many frames are queued: all are then dropped.
        mutating func put(frame: EncodedFrame) -> Bool {
            if isFinished { return true }
            if frames >= SinkEvents.framesWaiting {
                events.removeAll { if case .received = $0 { true } else { false } }
                dropped += frames + 1
                frames = 0
                return false
            }
            events.put(.received(.video, frame))
            frames += 1
            return true
        }

        /// Appends a packet of sound; if too many packets are queued, drops all of them first.
        mutating func put(sound packet: EncodedSoundPacket, of input: SoundInput) {
            if isFinished { return }
            if packets >= SinkEvents.packetsWaiting {
                events.removeAll { if case .receivedSound = $0 { true } else { false } }
                droppedPackets += packets
                packets = 0
            }
            events.put(.receivedSound(packet, of: input))
            packets += 1
        }

        mutating func put(_ event: MirrorSink.Event) { events.put(event) }

        mutating func finish() { events.isFinished = true }

        mutating func takeFirst() -> MirrorSink.Event? {
            let event = events.takeFirst()
            if case .received? = event { frames -= 1 }
            if case .receivedSound? = event { packets -= 1 }
            return event
        }

        var allDrops: [String: Int] { .sum(events, ["frame-not-taken": dropped, "sound-not-taken": droppedPackets]) }
    }

    /// The maximum number of queued frames: a second at 60 Hz.
    private static let framesWaiting = 60
    /// The maximum number of queued packets of sound: one second of the shortest packets, which are 2.5 ms long.
    private static let packetsWaiting = 400
    /// The maximum number of events that are queued without merging.
    private static let eventsWaiting = 1024

    private let queue = ReadQueue(Waiting())

    init() {}

    /// The iterator over the events. All iterators share one queue, so each of two iterators gets only some of the
    /// events.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let events: SinkEvents

        /// The next event; `nil` when the session is over.
        public func next() async -> MirrorSink.Event? { await events.queue.next(isolation: nil) }
    }

    /// Makes the iterator, for one reader.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(events: self) }

    /// The number of frames that were dropped because they were not read in time.
    public var droppedFrames: Int { queue.update { waiting, _ in waiting.dropped } }

    /// The number of frames and events that were dropped because they were not read in time, by reason.
    package var allDrops: [String: Int] { queue.allDrops }

    func put(_ event: MirrorSink.Event) { queue.updateAndWake { $0.put(event) } }

    /// Appends a frame. Returns false if too many frames were queued and all were dropped: a keyframe is needed.
    func put(frame: EncodedFrame) -> Bool { queue.updateAndWake { $0.put(frame: frame) } }

    /// Appends a packet of sound, which is never refused: if too many are queued, the earlier packets are dropped.
    func put(sound packet: EncodedSoundPacket, of input: SoundInput) {
        queue.updateAndWake { $0.put(sound: packet, of: input) }
    }

    func finish() { queue.updateAndWake { $0.finish() } }
}

extension MirrorSink.Event: QueuedEvent {
    package var standing: EventStanding {
        switch self {
        case .received, .receivedSound: .fixed
        case .ended: .kept
        case .connected, .disconnected: .newest("connection")
        case .played: .newest("played")
        case .changed: .newest("changed")
        case .permission: .newest("permission")
        case .driver: .newest("driver")
        case .controlRequested: .newest("request")
        case .monitors: .newest("monitors")
        case .paused, .resumed: .newest("pause")
        case .info(let text): .repeated(text)
        }
    }
}
