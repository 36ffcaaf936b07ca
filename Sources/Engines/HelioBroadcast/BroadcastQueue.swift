private import DequeModule
package import HelioCore

/// The queue of units that wait to be sent. It is limited in age and bytes, and drops whole groups of pictures.
///
/// The oldest picture is dropped once it has waited longer than allowed, with all pictures up to the next queued
/// keyframe. If no keyframe is queued, all pictures are dropped, and so are new ones until the next keyframe;
/// ``takeWish()`` then reports that a keyframe is needed. Sound is dropped independently. So no picture is sent without
/// the pictures that it refers to.
package struct BroadcastQueue: Sendable {
    package static let defaultAge = Duration.seconds(1)
    /// The maximum number of queued units.
    private static let maximumCount = 16384

    private struct Waiting: Sendable {
        var unit: BroadcastUnit
        var since: Instant
    }

    private let maximumAge: Duration
    private let maximumBytes: Int
    private var waiting = Deque<Waiting>()
    private var isAwaitingKeyframe = true
    private var wantsKeyframe = false

    package private(set) var byteCount = 0
    package private(set) var drops = DropCounter<BroadcastDrop>()

    /// - Parameters:
    ///   - age: the maximum time that a unit may wait.
    ///   - bytes: the maximum size of the queued units in bytes.
    package init(age: Duration = defaultAge, bytes: Int = 16 << 20) {
        maximumAge = age
        maximumBytes = bytes
    }

    package var count: Int { waiting.count }
    package var isEmpty: Bool { waiting.isEmpty }

    /// The time at which the oldest unit expires; `nil` if the queue is empty.
    package var deadline: Deadline? {
        waiting.first.map { Deadline(at: $0.since + maximumAge, why: "the oldest unit is too old") }
    }

    /// Appends a unit, or drops and counts it. Before that, drops expired units, and then the oldest units until the
    /// new unit fits.
    ///
    /// - Returns: true if the unit was queued.
    @discardableResult
    package mutating func put(_ unit: BroadcastUnit, now: Instant) -> Bool {
        guard unit.bytes.count <= maximumBytes else {
            drops.count(.tooLarge)
            if unit.kind != .sound { awaitKeyframe() }
            return false
        }
        dropOld(now: now)
        while byteCount + unit.bytes.count > maximumBytes || waiting.count >= Self.maximumCount {
            dropOldest(.overfullPicture, .overfullSound)
        }
        switch unit.kind {
        case .keyframe:
            isAwaitingKeyframe = false
            wantsKeyframe = false
        case .picture where isAwaitingKeyframe:
            drops.count(.awaitingKeyframe)
            return false
        case .picture, .sound: break
        }
        waiting.append(Waiting(unit: unit, since: now))
        byteCount += unit.bytes.count
        return true
    }

    /// Removes and returns the oldest unit that has not expired; `nil` if there is none.
    package mutating func takeFirst(now: Instant) -> BroadcastUnit? {
        dropOld(now: now)
        guard let first = waiting.popFirst() else { return nil }
        byteCount -= first.unit.bytes.count
        return first.unit
    }

    /// Returns true once after pictures were dropped, unless a keyframe has been queued since.
    package mutating func takeWish() -> Bool {
        defer { wantsKeyframe = false }
        return wantsKeyframe
    }

    /// Counts a unit that was never queued.
    package mutating func refuse(_ reason: BroadcastDrop) { drops.count(reason) }

    /// The time that the oldest unit has waited; zero if the queue is empty.
    package func age(now: Instant) -> Duration { waiting.first.map { max(.zero, now - $0.since) } ?? .zero }

    /// Drops all units. The next picture that is queued has to be a keyframe.
    package mutating func clear(_ reason: BroadcastDrop) {
        if !waiting.isEmpty { drops.count(reason, waiting.count) }
        waiting.removeAll()
        byteCount = 0
        isAwaitingKeyframe = true
        wantsKeyframe = false
    }

    private mutating func dropOld(now: Instant) {
        while let first = waiting.first, now - first.since > maximumAge { dropOldest(.stalePicture, .staleSound) }
    }

    /// Drops the oldest unit and, if it is a picture, the rest of its group of pictures.
    private mutating func dropOldest(_ picture: BroadcastDrop, _ sound: BroadcastDrop) {
        guard let first = waiting.first else { return }
        guard first.unit.kind != .sound else {
            waiting.removeFirst()
            byteCount -= first.unit.bytes.count
            return drops.count(sound)
        }
        let next = waiting.indices.dropFirst().first { waiting[$0].unit.kind == .keyframe }
        let end = next ?? waiting.endIndex
        var kept = Deque<Waiting>()
        for (index, element) in waiting.enumerated() {
            if index < end, element.unit.kind != .sound {
                byteCount -= element.unit.bytes.count
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
