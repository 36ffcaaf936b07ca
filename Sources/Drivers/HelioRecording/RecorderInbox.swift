internal import HelioCore
internal import HelioGround

/// The state that a recorder's thread shares with the threads that queue pictures and sound.
final class RecorderInbox: Sendable {
    private struct State: Sendable {
        var queue: RecordingQueue
        var gatherer = PictureGatherer()
        var codec: VideoCodec
        var isStopping = false
        /// True once the recording has finished or failed: nothing more is written.
        var isOver = false
        var statistics: RecordingStatistics
    }

    private let state: ThreadMailbox<State>

    init(_ options: RecorderOptions, statistics: RecordingStatistics) {
        state = ThreadMailbox(
            State(
                queue: RecordingQueue(mostBytes: options.mostBytesWaiting, longestWait: options.longestWait),
                codec: options.codec, statistics: statistics))
    }

    // MARK: Any thread

    func set(_ codec: VideoCodec) { state.withLock { $0.codec = codec } }

    func put(_ slice: EncodedSlice, now: Instant) {
        state.withLock { state in
            guard !state.isOver else { return }
            switch state.gatherer.take(slice) {
            case .more: break
            case .broken: state.queue.breakOff(.incomplete)
            case .whole(let whole):
                state.queue.put(
                    RecordedPicture(
                        codec: state.codec, annexB: whole.annexB, captured: whole.timing.captured,
                        isKeyframe: whole.isKeyframe), now: now)
            }
        }
    }

    func put(_ picture: RecordedPicture, now: Instant) {
        state.withLock { if !$0.isOver { $0.queue.put(picture, now: now) } }
    }

    func put(_ sound: RecordedSound, now: Instant) {
        state.withLock { if !$0.isOver { $0.queue.put(sound, now: now) } }
    }

    func breakOff() { state.withLock { if !$0.isOver { $0.queue.breakOff(.incomplete) } } }

    func stop() { state.put { $0.isStopping = true } }

    /// Blocks until the recording is over, but no longer than until the instant.
    func waitUntilOver(until: Instant) { _ = state.take(until: until) { $0.isOver ? true : nil } }

    var statistics: RecordingStatistics {
        state.withLock { state in
            var statistics = state.statistics
            statistics.drops.add(state.queue.drops)
            return statistics
        }
    }

    // MARK: The recorder's thread

    var isStopping: Bool { state.withLock { $0.isStopping } }

    func take() -> (item: RecordingQueue.Item, since: Instant)? { state.withLock { $0.queue.take() } }

    func needsKeyframe(now: Instant) -> Bool { state.withLock { $0.queue.needsKeyframe(now: now) } }

    func tell(_ statistics: RecordingStatistics) {
        state.put { state in
            state.statistics = statistics
            state.isOver = statistics.state == .failed || statistics.state == .finished
            if state.isOver { state.queue.clear() }
        }
    }

    /// Blocks until the instant, or until the recording is asked to stop.
    func wait(until: Instant) { _ = state.take(until: until) { $0.isStopping ? true : nil } }
}
