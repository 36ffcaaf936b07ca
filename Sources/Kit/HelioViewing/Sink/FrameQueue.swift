internal import HelioCore
private import HelioGround

/// The queue of frames between the event loop and the decoding thread.
///
/// A decoder needs every frame, so none is skipped. When the queue is full, all frames are dropped and counted, and the
/// caller requests a keyframe.
///
/// Parts of a frame that arrive before the whole frame are merged with each other and with the frame while they are
/// queued, so that there is at most one entry for each frame.
final class FrameQueue: Sendable {
    enum Entry: Sendable {
        case part(ReceivedPart)
        case frame(ReceivedFrame)
    }

    private struct Contents: Sendable {
        var entries: [Entry] = []
        var isClosed = false
        var dropped = 0
    }

    private let capacity: Int
    private let mailbox = ThreadMailbox(Contents())

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// Appends a part, or drops it if the queue is full, because the complete frame contains it too.
    func put(_ part: ReceivedPart) {
        mailbox.put { contents in
            if case .part(var before) = contents.entries.last {
                if part.start == before.end {
                    before.annexB += part.annexB
                    contents.entries[contents.entries.count - 1] = .part(before)
                    return
                }
                // The earlier part belongs to an abandoned frame, and no part of that frame has been decoded.
                if part.start.offset == 0, before.start.offset == 0 { contents.entries.removeLast() }
            }
            guard contents.entries.count < capacity else { return }
            contents.entries.append(.part(part))
        }
    }

    /// Appends a frame. Returns false if the queue was full: all queued frames and this frame are then dropped.
    func put(_ frame: ReceivedFrame) -> Bool {
        mailbox.put { contents in
            var frame = frame
            if case .part(let before) = contents.entries.last {
                let isItsOwn = frame.rest == before.end
                if isItsOwn { frame.handedOut = before.start.offset }
                if isItsOwn || before.start.offset == 0 { contents.entries.removeLast() }
            }
            if contents.entries.count >= capacity {
                contents.dropped += contents.entries.reduce(1) { if case .frame = $1 { $0 + 1 } else { $0 } }
                contents.entries.removeAll()
                return false
            }
            contents.entries.append(.frame(frame))
            return true
        }
    }

    /// Waits for entries and returns all of them; `nil` when the queue is closed.
    func takeAll() -> [Entry]? {
        mailbox.take { contents -> [Entry]?? in
            if contents.isClosed { return .some(nil) }
            if contents.entries.isEmpty { return nil }
            defer { contents.entries.removeAll(keepingCapacity: true) }
            return contents.entries
        }
    }

    func close() { mailbox.put { $0.isClosed = true } }

    /// The number of frames that were dropped because the decoder was too slow.
    var overflowed: Int { mailbox.withLock { $0.dropped } }
}
