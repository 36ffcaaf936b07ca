private import DequeModule
internal import HelioCore

/// What waits to be written: bounded by bytes and by age. Past that pictures are dropped up to the next keyframe, and
/// packets of sound one by one.
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

    /// Bytes that an item costs beside its payload.
    private static let overhead = 128

    private let mostBytes: Int
    private let longestWait: Duration
    private var waiting = Deque<(item: Item, since: Instant)>()
    /// What is being written now, or was at last.
    private var inWork: (bytes: Int, since: Instant)?
    private(set) var bytes = 0
    private(set) var awaitsKeyframe = true
    private(set) var drops = DropCounter<RecordingDrop>()

    init(mostBytes: Int, longestWait: Duration) {
        self.mostBytes = mostBytes
        self.longestWait = longestWait
    }

    var isEmpty: Bool { waiting.isEmpty }

    /// True where a keyframe is needed, and would be taken.
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
        // One that is larger than all that may wait is taken where nothing does.
        guard !isOld(now), bytes == 0 || bytes + size <= mostBytes else { return false }
        waiting.append((item, now))
        bytes += size
        return true
    }

    /// A picture could not be put in: none of those that refer to it can be, either.
    mutating func breakOff(_ reason: RecordingDrop) {
        drops.count(reason)
        awaitsKeyframe = true
    }

    /// Takes the oldest. What was taken before has been written.
    mutating func take() -> (item: Item, since: Instant)? {
        bytes -= inWork?.bytes ?? 0
        inWork = nil
        guard let next = waiting.popFirst() else { return nil }
        inWork = (next.item.bytes + Self.overhead, next.since)
        return next
    }

    /// Drops all that waits, as nothing is written any more.
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
