private import Foundation
internal import HelioCore

/// The queue of frames between the event loop and the decoder's thread: the one boundary that they cross.
///
/// A decoder needs every frame, so none is skipped. When it falls so far behind that the queue is full, all frames are
/// dropped and counted, and the caller requests a keyframe.
///
/// Parts of a frame that come ahead of it join each other and the frame while they wait, so that there is one entry for
/// each frame at most.
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

    /// Appends a part. Where there is no room, it is left out: its frame has all of it again.
    func put(_ part: ReceivedPart) {
        condition.withLock {
            if case .part(var before) = entries.last {
                if part.start == before.end {
                    before.annexB += part.annexB
                    entries[entries.count - 1] = .part(before)
                    return
                }
                // The one before was given up, and nothing of it has been decoded.
                if part.start.offset == 0, before.start.offset == 0 { entries.removeLast() }
            }
            guard entries.count < capacity else { return }
            entries.append(.part(part))
            condition.signal()
        }
    }

    /// Appends a frame. False when the queue was full: everything in it is gone, `frame` too.
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

    /// Waits for entries and takes all; `nil` when the queue is closed.
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
