private import DequeModule
package import HelioCore

/// What waits to be sent by RTMP: bounded by age and bytes, and dropped by whole groups of pictures.
///
/// Once the oldest picture has waited for longer than is allowed, it goes with all up to the next keyframe that waits;
/// where none does, all pictures go, and those that come until the next keyframe: ``takeWish()`` then says that one is
/// wanted. Sound goes by itself. Nobody is sent a picture that needs one which they were not sent.
package struct RTMPUnitQueue: Sendable {
    package static let defaultAge = Duration.seconds(1)

    private struct Waiting: Sendable {
        var unit: RTMPUnit
        var since: Instant
    }

    private let age: Duration
    private let maximumBytes: Int
    private var waiting = Deque<Waiting>()
    private var isAwaitingKeyframe = true
    private var wantsKeyframe = false

    package private(set) var byteCount = 0
    package private(set) var drops = DropCounter<RTMPDrop>()

    /// - Parameters:
    ///   - age: how long a unit may wait.
    ///   - bytes: the most that wait.
    package init(age: Duration = defaultAge, bytes: Int = 16 << 20) {
        self.age = age
        maximumBytes = bytes
    }

    package var count: Int { waiting.count }
    package var isEmpty: Bool { waiting.isEmpty }

    /// When the oldest will have waited for too long.
    package var deadline: Deadline? {
        waiting.first.map { Deadline(at: $0.since + age + .nanoseconds(1), why: "the oldest unit is too old") }
    }

    package mutating func put(_ unit: RTMPUnit, now: Instant) {
        guard unit.bytes.count <= maximumBytes else {
            drops.count(.tooLarge)
            if unit.kind != .sound { awaitKeyframe() }
            return
        }
        dropOld(now: now)
        while byteCount + unit.bytes.count > maximumBytes { dropOldest(.overfull, .overfull) }
        switch unit.kind {
        case .keyframe:
            isAwaitingKeyframe = false
            wantsKeyframe = false
        case .picture where isAwaitingKeyframe: return drops.count(.awaitingKeyframe)
        case .picture, .sound: break
        }
        waiting.append(Waiting(unit: unit, since: now))
        byteCount += unit.bytes.count
    }

    /// The oldest unit that is not too old.
    package mutating func takeFirst(now: Instant) -> RTMPUnit? {
        dropOld(now: now)
        guard let first = waiting.popFirst() else { return nil }
        byteCount -= first.unit.bytes.count
        return first.unit
    }

    /// True once after pictures were dropped up to one that has not come.
    package mutating func takeWish() -> Bool {
        defer { wantsKeyframe = false }
        return wantsKeyframe
    }

    /// Counts a unit that is not put in at all, or can't be sent.
    ///
    /// - Parameter breaks: whether pictures that follow need it.
    package mutating func refuse(_ reason: RTMPDrop, breaks: Bool = false) {
        drops.count(reason)
        guard breaks else { return }
        // Those that wait need it as well.
        if waiting.first(where: { $0.unit.kind != .sound })?.unit.kind == .picture { dropPictures(reason) }
        if !waiting.contains(where: { $0.unit.kind == .keyframe }) { awaitKeyframe() }
    }

    /// Drops all; whoever connects next begins with a keyframe.
    package mutating func clear(_ reason: RTMPDrop) {
        if !waiting.isEmpty { drops.count(reason, waiting.count) }
        waiting.removeAll()
        byteCount = 0
        isAwaitingKeyframe = true
        wantsKeyframe = false
    }

    /// Drops what has waited for too long.
    package mutating func dropOld(now: Instant) {
        while let first = waiting.first, now - first.since > age { dropOldest(.stalePicture, .staleSound) }
    }

    /// Drops the oldest unit; of a picture, the rest of its group of pictures with it.
    private mutating func dropOldest(_ picture: RTMPDrop, _ sound: RTMPDrop) {
        guard let first = waiting.first else { return }
        guard first.unit.kind != .sound else {
            waiting.removeFirst()
            byteCount -= first.unit.bytes.count
            return drops.count(sound)
        }
        dropPictures(picture)
    }

    /// Drops pictures up to the next keyframe that waits behind the first of them.
    private mutating func dropPictures(_ reason: RTMPDrop) {
        guard let first = waiting.firstIndex(where: { $0.unit.kind != .sound }) else { return }
        let next = waiting.indices.dropFirst(first + 1).first { waiting[$0].unit.kind == .keyframe }
        let end = next ?? waiting.endIndex
        var kept = Deque<Waiting>()
        for (index, element) in waiting.enumerated() {
            if index < end, element.unit.kind != .sound {
                byteCount -= element.unit.bytes.count
                drops.count(reason)
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
