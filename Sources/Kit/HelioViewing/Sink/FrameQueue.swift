private import Foundation
internal import HelioCore

/// The queue of frames between the event loop and the decoder's thread: the one boundary that they cross.
///
/// A decoder needs every frame, so none is skipped. When it falls so far behind that the queue is full, all frames are
/// dropped and counted, and the caller requests a keyframe.
final class FrameQueue: @unchecked Sendable {
    private let condition = NSCondition()
    private let capacity: Int
    private var frames: [ReceivedFrame] = []
    private var isClosed = false
    private var dropped = 0

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// Appends a frame. False when the queue was full: everything in it is gone, `frame` too.
    func put(_ frame: ReceivedFrame) -> Bool {
        condition.withLock {
            if frames.count >= capacity {
                dropped += frames.count + 1
                frames.removeAll()
                return false
            }
            frames.append(frame)
            condition.signal()
            return true
        }
    }

    /// Waits for frames and takes all; `nil` when the queue is closed.
    func takeAll() -> [ReceivedFrame]? {
        condition.withLock {
            while frames.isEmpty, !isClosed { condition.wait() }
            if isClosed { return nil }
            defer { frames.removeAll(keepingCapacity: true) }
            return frames
        }
    }

    func close() {
        condition.withLock {
            isClosed = true
            condition.broadcast()
        }
    }

    /// The number of frames that were dropped because the decoder was too slow.
    var overflowed: Int { condition.withLock { dropped } }
}
