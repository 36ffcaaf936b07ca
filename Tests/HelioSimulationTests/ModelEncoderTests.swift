import HelioCore
import HelioSimulation
import Testing

@Suite struct ModelEncoderTests {
    private static let frame = Duration.microseconds(16_667)

    /// The sizes in bits of `count` pictures, long after a keyframe.
    private func sizes(
        _ kind: ModelEncoder.Kind, at target: Bitrate, count: Int = 1200, _ encoder: inout ModelEncoder
    ) -> [Double] {
        _ = encoder.encode(kind: kind, isKeyframe: true, target: target, now: .zero)
        return (0..<count).map { n in
            let now = Instant.zero + .seconds(10) + Self.frame * n
            let slice = encoder.encode(kind: kind, isKeyframe: false, target: target, now: now)
            return Double(slice.annexB.count * 8)
        }
    }

    @Test(arguments: [2, 5, 10, 20, 30])
    func videoFillsTheRate(megabits: Int) {
        var encoder = ModelEncoder(seed: 1)
        let sizes = sizes(.video, at: .megabits(megabits), &encoder)
        let rate = sizes.reduce(0, +) / (Self.frame * sizes.count).inSeconds
        let share = rate / Double(megabits * 1_000_000)
        #expect(share > 0.92 && share < 1.02, "\(share) of the rate")
        // No picture greatly exceeds its share of the rate.
        let most = sizes.max() ?? 0
        #expect(most < Double(megabits * 1_000_000) / 60 * 1.3)
        #expect(encoder.lastQP > ModelEncoder.leastQP && encoder.lastQP < ModelEncoder.mostQP)
    }

    @Test func typingTakesWhatItNeedsAndNoMore() {
        var encoder = ModelEncoder(seed: 1)
        let sizes = sizes(.typing, at: .megabits(20), count: 100, &encoder)
        #expect(encoder.lastQP == ModelEncoder.leastQP)
        #expect(sizes.allSatisfy { $0 > 30_000 && $0 < 50_000 })
    }

    @Test func aKeyframeTakesFourFramesAndIsPaidFor() {
        var encoder = ModelEncoder(seed: 3)
        let target = Bitrate.megabits(20)
        let perFrame = 20_000_000 / 60.0
        let slice = encoder.encode(kind: .scroll, isKeyframe: true, target: target, now: .zero)
        let bits = Double(slice.annexB.count * 8)
        #expect(slice.isKeyframe && slice.isFirst && slice.isLast)
        #expect(bits > perFrame * 3.2 && bits < perFrame * 4.8)
        let early = encoder.credit(target: target, now: .zero + Self.frame)
        let late = encoder.credit(target: target, now: .zero + Self.frame * 6)
        #expect(early < 0)
        #expect(abs(late - perFrame) < 1)
    }

    @Test func whatDoesNotFitIsSentAsCoarseAsCanBe() {
        var encoder = ModelEncoder(seed: 3)
        let target = Bitrate.kilobits(100)
        let slice = encoder.encode(kind: .typing, isKeyframe: true, target: target, now: .zero)
        #expect(encoder.lastQP == ModelEncoder.mostQP)
        // 2.4 Mbit, halved for every six of 25 quantiser steps.
        #expect(abs(Double(slice.annexB.count * 8) - 133_600) < 30_000)
        // Its excess is paid back within half a second at most.
        #expect(encoder.credit(target: target, now: .zero + .milliseconds(400)) < 0)
        #expect(encoder.credit(target: target, now: .zero + .milliseconds(600)) > 0)
    }

    @Test(arguments: VideoCodec.allCases)
    func unitsLookLikeTheirCodecs(codec: VideoCodec) {
        var encoder = ModelEncoder(seed: 9)
        encoder.codec = codec
        let keyframe = encoder.encode(kind: .video, isKeyframe: true, target: .megabits(2), now: .zero)
        let delta = encoder.encode(kind: .video, isKeyframe: false, target: .megabits(2), now: .zero + .seconds(1))
        #expect(headers(keyframe.annexB) == (codec == .h264 ? [0x67, 0x68, 0x65] : [0x40, 0x42, 0x44, 0x26]))
        #expect(headers(delta.annexB) == (codec == .h264 ? [0x41] : [0x02]))
        #expect(keyframe.frameIndex == 0)
        #expect(delta.frameIndex == 1)
        #expect(delta.timing.captured == .zero + .seconds(1))
    }

    /// The first byte after each start code.
    private func headers(_ annexB: [UInt8]) -> [UInt8] {
        annexB.indices.dropLast(4).filter { annexB[$0..<$0 + 4].elementsEqual([0, 0, 0, 1]) }.map { annexB[$0 + 4] }
    }

    @Test func theSameSeedCodesTheSame() {
        var first = ModelEncoder(seed: 4)
        var second = first
        var other = ModelEncoder(seed: 5)
        let once = sizes(.video, at: .megabits(4), count: 200, &first)
        let twice = sizes(.video, at: .megabits(4), count: 200, &second)
        let others = sizes(.video, at: .megabits(4), count: 200, &other)
        #expect(once == twice)
        #expect(once != others)
    }
}
