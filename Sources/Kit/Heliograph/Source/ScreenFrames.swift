internal import HelioCore
private import HelioLoop

/// The pictures of a ``ScreenStream``, in order, for one reader.
///
/// The encoder never waits for the reader: when a picture arrives while 30 pictures are unread, all are dropped, and
/// the following picture is a keyframe.
public final class ScreenFrames: AsyncSequence, Sendable {
    private struct Waiting: Readable {
        private var frames: [EncodedFrame] = []
        private(set) var dropped = 0
        private var error: HelioError?
        private(set) var isFinished = false

        mutating func add(_ frame: EncodedFrame) -> Bool {
            if isFinished { return true }
            if frames.count >= ScreenFrames.mostFrames {
                dropped += frames.count + 1
                frames.removeAll(keepingCapacity: true)
                return false
            }
            frames.append(frame)
            return true
        }

        mutating func takeFirst() -> Result<EncodedFrame, HelioError>? {
            frames.isEmpty ? error.map { .failure($0) } : .success(frames.removeFirst())
        }

        mutating func finish(_ error: HelioError?) {
            if isFinished { return }
            isFinished = true
            self.error = error
        }
    }

    /// The maximum number of queued pictures: half a second at 60 per second, as older pictures are useless.
    private static let mostFrames = 30

    private let queue = ReadQueue(Waiting())

    init() {}

    /// The iterator over the pictures. All iterators share one queue, so each of two iterators gets only some of the
    /// pictures.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let frames: ScreenFrames

        /// The next picture; `nil` after the stream was stopped. Throws the `HelioError` that ended the stream.
        public func next() async throws -> EncodedFrame? { try await frames.queue.next(isolation: nil)?.get() }
    }

    /// Makes the iterator, for one reader.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(frames: self) }

    /// The number of pictures that were dropped because they were not read in time.
    public var dropped: Int { queue.update { waiting, _ in waiting.dropped } }

    /// Appends a picture. Returns false if the reader is too slow and all queued pictures were dropped: the following
    /// picture has to be a keyframe.
    func put(_ frame: EncodedFrame) -> Bool { queue.updateAndWake { $0.add(frame) } }

    func finish(_ error: HelioError?) { queue.updateAndWake { $0.finish(error) } }
}
