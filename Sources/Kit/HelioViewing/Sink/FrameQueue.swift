private import Foundation
internal import HelioCore

/// Frames on their way from the event loop to the decoder's thread: the one boundary that they cross.
///
/// A decoder needs every frame, so none is skipped; when it falls so far behind that the queue is full, all are
/// thrown away, counted, and the caller asks for a keyframe.
final class FrameQueue: @unchecked Sendable {
    private let condition = NSCondition()
    private let capacity: Int
    private var frames: [ReceivedFrame] = []
    private var isClosed = false
    private var dropped = 0

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// False when the queue was full: everything in it is gone, `frame` too.
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

    /// Frames that were thrown away because the decoder was too slow.
    var overflowed: Int { condition.withLock { dropped } }
}
