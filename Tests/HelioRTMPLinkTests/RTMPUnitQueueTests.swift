import HelioCore
import Testing

@testable import HelioRTMPLink

struct RTMPUnitQueueTests {
    private var queue = RTMPUnitQueue(age: .milliseconds(500), bytes: 1000)
    private var now = Instant.zero

    private mutating func put(_ kind: RTMPUnit.Kind, size: Int = 10, after wait: Duration = .milliseconds(100)) {
        now = now + wait
        queue.put(RTMPUnit(kind, bytes: [UInt8](repeating: 1, count: size), presentation: .zero), now: now)
    }

    private mutating func expectAll(_ expected: [RTMPUnit.Kind], at place: SourceLocation = #_sourceLocation) {
        var kinds: [RTMPUnit.Kind] = []
        while let unit = queue.takeFirst(now: now) { kinds.append(unit.kind) }
        #expect(kinds == expected, sourceLocation: place)
    }

    private mutating func expectWish(_ expected: Bool, at place: SourceLocation = #_sourceLocation) {
        let wish = queue.takeWish()
        #expect(wish == expected, sourceLocation: place)
    }

    @Test mutating func beginsWithKeyframe() {
        for kind in [.picture, .sound, .keyframe, .picture] as [RTMPUnit.Kind] { put(kind) }
        expectAll([.sound, .keyframe, .picture])
        #expect(queue.drops.byName == ["rtmp-awaiting-keyframe": 1])
        #expect(queue.byteCount == 0)
    }

    /// The oldest goes with its group; where no other group waits, a keyframe is wished for, once.
    @Test mutating func dropsGroups() {
        for kind in [.keyframe, .picture, .sound, .picture] as [RTMPUnit.Kind] { put(kind) }
        put(.picture, after: .milliseconds(400))
        #expect(queue.drops.byName == ["rtmp-stale-picture": 3, "rtmp-awaiting-keyframe": 1])
        expectWish(true)
        expectWish(false)
        put(.keyframe, after: .milliseconds(10))
        expectAll([.keyframe])
        #expect(
            queue.drops.byName == ["rtmp-stale-picture": 3, "rtmp-awaiting-keyframe": 1, "rtmp-stale-sound": 1])
    }

    @Test mutating func keepsTheNextGroup() {
        for kind in [.keyframe, .picture, .keyframe, .picture, .picture] as [RTMPUnit.Kind] { put(kind) }
        put(.picture, after: .milliseconds(150))
        expectWish(false)
        expectAll([.keyframe, .picture, .picture, .picture])
    }

    @Test mutating func isBoundedByBytes() {
        put(.keyframe, size: 600, after: .zero)
        put(.keyframe, size: 600, after: .zero)
        put(.keyframe, size: 1001, after: .zero)
        #expect(queue.byteCount == 600)
        #expect(queue.drops.byName == ["rtmp-overfull": 1, "rtmp-too-large": 1])
    }

    /// One that can't be sent takes those with it that need it, and no others.
    @Test mutating func refuses() {
        for kind in [.picture, .keyframe] as [RTMPUnit.Kind] { put(kind, after: .zero) }
        put(.picture, after: .zero)
        _ = queue.takeFirst(now: now)
        queue.refuse(.unusable, breaks: true)
        expectWish(true)
        #expect(queue.isEmpty)
        put(.keyframe, after: .zero)
        queue.refuse(.unusable, breaks: true)
        expectWish(false)
        expectAll([.keyframe])
    }
}
