internal import HelioCore
private import Synchronization

/// The pictures of a ``ScreenStream``, in order, for one reader.
///
/// Who codes them never waits: pictures that nobody takes are thrown away all together, and the next one is a keyframe.
public final class ScreenFrames: AsyncSequence, Sendable {
    private typealias Reader = CheckedContinuation<EncodedFrame?, any Error>

    private struct State {
        var waiting: [EncodedFrame] = []
        var reader: Reader?
        var end: Result<EncodedFrame?, any Error>?
        var dropped = 0
    }

    /// Half a second's worth: older ones are of no use to anybody.
    private static let mostFrames = 30

    private let state = Mutex(State())

    init() {}

    /// Reads the pictures one by one.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let frames: ScreenFrames

        /// The next picture; `nil` when the stream was stopped. Throws the `HelioError` that ended it otherwise.
        public func next() async throws -> EncodedFrame? { try await frames.next() }
    }

    /// For one reader.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(frames: self) }

    /// Pictures that were thrown away because nobody took them.
    public var dropped: Int { state.withLock { $0.dropped } }

    /// False when the reader is too slow: the next picture has to be a keyframe.
    func put(_ frame: EncodedFrame) -> Bool {
        let (reader, isTaken) = state.withLock { state -> (Reader?, Bool) in
            if state.end != nil { return (nil, true) }
            if let reader = state.reader {
                state.reader = nil
                return (reader, true)
            }
            if state.waiting.count >= Self.mostFrames {
                state.dropped += state.waiting.count + 1
                state.waiting.removeAll(keepingCapacity: true)
                return (nil, false)
            }
            state.waiting.append(frame)
            return (nil, true)
        }
        reader?.resume(returning: frame)
        return isTaken
    }

    func finish(_ error: HelioError?) {
        let end: Result<EncodedFrame?, any Error> = error.map { .failure($0) } ?? .success(nil)
        let reader = state.withLock { state -> Reader? in
            if state.end == nil { state.end = end }
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume(with: end)
    }

    private func next() async throws -> EncodedFrame? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: Reader) in
                let (result, earlier) = state.withLock { state -> (Result<EncodedFrame?, any Error>?, Reader?) in
                    if !state.waiting.isEmpty { return (.success(state.waiting.removeFirst()), nil) }
                    if let end = state.end { return (end, nil) }
                    if Task.isCancelled { return (.success(nil), nil) }
                    // A second reader takes the first one's place.
                    defer { state.reader = continuation }
                    return (nil, state.reader)
                }
                earlier?.resume(returning: nil)
                if let result { continuation.resume(with: result) }
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
