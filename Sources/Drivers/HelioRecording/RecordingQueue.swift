private import DequeModule
internal import HelioCore

/// The queue of items to be written, bounded by bytes and by age. If it is full, pictures are dropped up to the next
/// keyframe, and packets of sound one by one.
struct RecordingQueue {
    enum Item {
        case picture(RecordedPicture)
        case sound(RecordedSound)

        var bytes: Int {
            switch self {
            case .picture(let picture): picture.annexB.count
            case .sound(let sound): sound.payload.count
            }
        }
    }

    /// The overhead that is counted for each item in addition to its payload, in bytes.
    private static let overhead = 128

    private let mostBytes: Int
    private let longestWait: Duration
    private var waiting = Deque<(item: Item, since: Instant)>()
    /// The item that was taken last; it counts as being written until the next item is taken.
    private var inWork: (bytes: Int, since: Instant)?
    private(set) var bytes = 0
    private(set) var awaitsKeyframe = true
    private(set) var drops = DropCounter<RecordingDrop>()

    init(mostBytes: Int, longestWait: Duration) {
        self.mostBytes = mostBytes
        self.longestWait = longestWait
    }

    var isEmpty: Bool { waiting.isEmpty }

    /// True if a keyframe is needed and the queue has room for it.
    func needsKeyframe(now: Instant) -> Bool { awaitsKeyframe && bytes <= mostBytes / 2 && !isOld(now) }

    mutating func put(_ picture: RecordedPicture, now: Instant) {
        if awaitsKeyframe, !picture.isKeyframe { return drops.count(.withoutKeyframe) }
        guard put(.picture(picture), now) else {
            awaitsKeyframe = true
            return drops.count(.pictureTooSlow)
        }
        awaitsKeyframe = false
    }

    mutating func put(_ sound: RecordedSound, now: Instant) {
        if !put(.sound(sound), now) { drops.count(.soundTooSlow) }
    }

    private mutating func put(_ item: Item, _ now: Instant) -> Bool {
        let size = item.bytes + Self.overhead
        // An empty queue accepts an item of any size.
        guard !isOld(now), bytes == 0 || bytes + size <= mostBytes else { return false }
        waiting.append((item, now))
        bytes += size
        return true
    }

    /// Reports a missing picture. The pictures up to the next keyframe are then dropped.
    mutating func breakOff(_ reason: RecordingDrop) {
        drops.count(reason)
        awaitsKeyframe = true
    }

    /// Removes and returns the oldest item. The item that was taken before now counts as written.
    mutating func take() -> (item: Item, since: Instant)? {
        bytes -= inWork?.bytes ?? 0
        inWork = nil
        guard let next = waiting.popFirst() else { return nil }
        inWork = (next.item.bytes + Self.overhead, next.since)
        return next
    }

    /// Removes all items, since the recording has ended.
    mutating func clear() {
        waiting.removeAll()
        bytes = 0
        inWork = nil
    }

    private func isOld(_ now: Instant) -> Bool {
        guard let since = inWork?.since ?? waiting.first?.since else { return false }
        return now - since > longestWait
    }
}
