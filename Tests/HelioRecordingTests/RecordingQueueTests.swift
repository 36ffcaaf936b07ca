import HelioCore
import Testing

@testable import HelioRecording

@Suite struct RecordingQueueTests {
    private let start = Instant(nanoseconds: 1_000_000_000)

    private func picture(_ bytes: Int, keyframe: Bool = false) -> RecordedPicture {
        RecordedPicture(
            codec: .h264, annexB: Array(repeating: 0, count: bytes), captured: .zero, isKeyframe: keyframe)
    }

    @Test("A full queue drops whole runs of pictures, up to a keyframe that there is room for")
    func bytes() {
        var queue = RecordingQueue(mostBytes: 10_000, longestWait: .seconds(5))
        #expect(queue.needsKeyframe(now: start))
        queue.put(picture(100), now: start)
        queue.put(picture(4000, keyframe: true), now: start)
        #expect(!queue.needsKeyframe(now: start))
        queue.put(picture(4000), now: start)
        queue.put(picture(4000), now: start)
        // Smaller pictures fit, but refer to the dropped one.
        queue.put(picture(10), now: start)
        queue.put(RecordedSound(origin: .system, payload: [1], captured: .zero), now: start)
        #expect(queue.drops.byName == ["recording-picture-without-keyframe": 2, "recording-picture-disk-too-slow": 1])
        // No keyframe is requested while there is no room.
        #expect(!queue.needsKeyframe(now: start))
        var taken = 0
        while queue.take() != nil { taken += 1 }
        #expect(taken == 3)
        #expect(queue.bytes == 0)
        #expect(queue.needsKeyframe(now: start))
        queue.put(picture(10), now: start)
        queue.put(picture(20_000, keyframe: true), now: start)
        #expect(!queue.isEmpty)
        #expect(queue.drops[.withoutKeyframe] == 3)
    }

    @Test("What is written for too long drops what comes meanwhile: picture and sound")
    func age() {
        var queue = RecordingQueue(mostBytes: 1 << 20, longestWait: .seconds(5))
        queue.put(picture(100, keyframe: true), now: start)
        _ = queue.take()
        queue.put(picture(100), now: start + .seconds(5))
        #expect(queue.drops.total == 0)
        queue.put(picture(100), now: start + .seconds(6))
        queue.put(RecordedSound(origin: .system, payload: [1], captured: .zero), now: start + .seconds(6))
        #expect(queue.drops.byName == ["recording-picture-disk-too-slow": 1, "recording-sound-disk-too-slow": 1])
        #expect(!queue.needsKeyframe(now: start + .seconds(6)))
        _ = queue.take()
        #expect(queue.take() == nil)
        #expect(queue.needsKeyframe(now: start + .seconds(7)))
    }
}
