private import DequeModule
package import HelioCore

/// What waits to be sent by SRT: bounded by age and bytes, and dropped by whole groups of pictures.
///
/// Once the oldest picture has waited for longer than is allowed, it goes with all up to the next keyframe that waits;
/// where none does, all pictures go, and those that come until the next keyframe: ``takeWish()`` then says that one is
/// wanted. Sound goes by itself. Nobody is sent a picture that needs one which they were not sent.
package struct SRTGroupQueue: Sendable {
    package static let defaultAge = Duration.seconds(1)

    private struct Waiting: Sendable {
        var group: SRTMessageGroup
        var since: Instant
    }

    private let age: Duration
    private let maximumBytes: Int
    private var waiting = Deque<Waiting>()
    private var isAwaitingKeyframe = true
    private var wantsKeyframe = false

    package private(set) var byteCount = 0
    package private(set) var drops = DropCounter<SRTDrop>()

    /// - Parameters:
    ///   - age: how long a group may wait.
    ///   - bytes: the most that wait.
    package init(age: Duration = defaultAge, bytes: Int = 16 << 20) {
        self.age = age
        maximumBytes = bytes
    }

    package var count: Int { waiting.count }
    package var isEmpty: Bool { waiting.isEmpty }

    /// When the oldest will have waited for too long.
    package var deadline: Deadline? {
        waiting.first.map { Deadline(at: $0.since + age, why: "the oldest group is too old") }
    }

    package mutating func put(_ group: SRTMessageGroup, now: Instant) {
        guard group.bytes.count <= maximumBytes else {
            drops.count(.tooLarge)
            if group.kind != .sound { awaitKeyframe() }
            return
        }
        dropOld(now: now)
        while byteCount + group.bytes.count > maximumBytes { dropOldest(.overfull, .overfull) }
        switch group.kind {
        case .keyframe:
            isAwaitingKeyframe = false
            wantsKeyframe = false
        case .picture where isAwaitingKeyframe: return drops.count(.awaitingKeyframe)
        case .picture, .sound: break
        }
        waiting.append(Waiting(group: group, since: now))
        byteCount += group.bytes.count
    }

    /// The oldest group that is not too old.
    package mutating func takeFirst(now: Instant) -> SRTMessageGroup? {
        dropOld(now: now)
        guard let first = waiting.popFirst() else { return nil }
        byteCount -= first.group.bytes.count
        return first.group
    }

    /// True once after pictures were dropped up to one that has not come.
    package mutating func takeWish() -> Bool {
        defer { wantsKeyframe = false }
        return wantsKeyframe
    }

    /// Counts a group that is not put in at all.
    package mutating func refuse(_ reason: SRTDrop) { drops.count(reason) }

    /// Drops all; whoever connects next begins with a keyframe.
    package mutating func clear(_ reason: SRTDrop) {
        if !waiting.isEmpty { drops.count(reason, waiting.count) }
        waiting.removeAll()
        byteCount = 0
        isAwaitingKeyframe = true
        wantsKeyframe = false
    }

    private mutating func dropOld(now: Instant) {
        while let first = waiting.first, now - first.since > age { dropOldest(.stalePicture, .staleSound) }
    }

    /// Drops the oldest group; of a picture, the rest of its group of pictures with it.
    private mutating func dropOldest(_ picture: SRTDrop, _ sound: SRTDrop) {
        guard let first = waiting.first else { return }
        guard first.group.kind != .sound else {
            waiting.removeFirst()
            byteCount -= first.group.bytes.count
            return drops.count(sound)
        }
        let next = waiting.indices.dropFirst().first { waiting[$0].group.kind == .keyframe }
        let end = next ?? waiting.endIndex
        var kept = Deque<Waiting>()
        for (index, element) in waiting.enumerated() {
            if index < end, element.group.kind != .sound {
                byteCount -= element.group.bytes.count
                drops.count(picture)
            } else {
                kept.append(element)
            }
        }
        waiting = kept
        if next == nil { awaitKeyframe() }
    }

    private mutating func awaitKeyframe() {
        isAwaitingKeyframe = true
        wantsKeyframe = true
    }
}
