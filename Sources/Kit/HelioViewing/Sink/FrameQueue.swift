private import Foundation
internal import HelioCore

/// The queue of frames between the event loop and the decoding thread.
///
/// A decoder needs every frame, so none is skipped. When the queue is full, all frames are dropped and counted, and the
/// caller requests a keyframe.
///
/// Parts of a frame that arrive before the whole frame are merged with each other and with the frame while they are
/// queued, so that there is at most one entry for each frame.
final class FrameQueue: @unchecked Sendable {
    enum Entry {
        case part(ReceivedPart)
        case frame(ReceivedFrame)
    }

    private let condition = NSCondition()
    private let capacity: Int
    private var entries: [Entry] = []
    private var isClosed = false
    private var dropped = 0

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// Appends a part. If there is no room, it is dropped: its frame contains it again.
    func put(_ part: ReceivedPart) {
        condition.withLock {
            if case .part(var before) = entries.last {
                if part.start == before.end {
                    before.annexB += part.annexB
                    entries[entries.count - 1] = .part(before)
                    return
                }
                // The earlier part belongs to a frame that was given up, and none of it has been decoded.
                if part.start.offset == 0, before.start.offset == 0 { entries.removeLast() }
            }
            guard entries.count < capacity else { return }
            entries.append(.part(part))
            condition.signal()
        }
    }

    /// Appends a frame. Returns false if the queue was full: all queued frames and this one are dropped.
    func put(_ frame: ReceivedFrame) -> Bool {
        condition.withLock {
            var frame = frame
            if case .part(let before) = entries.last {
                let isItsOwn = frame.rest == before.end
                if isItsOwn { frame.handedOut = before.start.offset }
                if isItsOwn || before.start.offset == 0 { entries.removeLast() }
            }
            if entries.count >= capacity {
                dropped += entries.reduce(1) { if case .frame = $1 { $0 + 1 } else { $0 } }
                entries.removeAll()
                return false
            }
            entries.append(.frame(frame))
            condition.signal()
            return true
        }
    }

    /// Waits for entries and returns all of them; `nil` when the queue is closed.
    func takeAll() -> [Entry]? {
        condition.withLock {
            while entries.isEmpty, !isClosed { condition.wait() }
            if isClosed { return nil }
            defer { entries.removeAll(keepingCapacity: true) }
            return entries
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
