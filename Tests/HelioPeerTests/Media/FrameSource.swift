import HelioBitstream
import HelioCore
import HelioPeer

/// A simulated encoder: distinct frames at a steady rate, in two slices each; keyframes on request.
struct FrameSource {
    let transceiver: Transceiver.ID
    let interval: Duration
    var next: Instant
    var wantsKeyframe = true
    /// The coded frames, with their numbers.
    private(set) var numbers: [[UInt8]: Int] = [:]
    private(set) var count = 0
    private(set) var keyframes = 0
    var size = 3000
    private var random: SeededGenerator

    /// - Parameter seed: other seeds make other pictures.
    init(
        _ transceiver: Transceiver.ID, interval: Duration = .milliseconds(33), start: Instant = .zero, seed: UInt64 = 11
    ) {
        random = SeededGenerator(seed: seed)
        self.transceiver = transceiver
        self.interval = interval
        next = start
    }

    /// Returns the first slice of a keyframe.
    static func first(_ transceiver: Transceiver.ID, at now: Instant) -> EncodedSlice? {
        var source = FrameSource(transceiver, start: now)
        return source.take().first
    }

    static let sps: [UInt8] = [0x67, 0x42, 0xC0, 0x1F, 0x95, 0xA8, 0x14, 0x01, 0x6E, 0x9B, 0x80]
    static let pps: [UInt8] = [0x68, 0xCE, 0x3C, 0x80]

    mutating func take() -> [EncodedSlice] {
        let isKeyframe = wantsKeyframe
        wantsKeyframe = false
        if isKeyframe { keyframes += 1 }
        let bytes = isKeyframe ? size * 4 : size
        var first: [UInt8] = []
        if isKeyframe { first += AnnexB.startCode + Self.sps + AnnexB.startCode + Self.pps }
        first += AnnexB.startCode + picture(isKeyframe, isFirst: true, bytes / 2)
        let second = AnnexB.startCode + picture(isKeyframe, isFirst: false, bytes / 2)
        let timing = FrameTiming(damaged: next, captured: next)
        defer {
            numbers[first + second] = count
            count += 1
            next = next + interval
        }
        return [(first, true), (second, false)].map { annexB, isFirst in
            EncodedSlice(
                frameIndex: UInt64(count), annexB: annexB, isFirst: isFirst, isLast: !isFirst, isKeyframe: isKeyframe,
                timing: timing)
        }
    }

    /// Makes a slice without zero bytes, so that it contains no start code.
    private mutating func picture(_ isKeyframe: Bool, isFirst: Bool, _ bytes: Int) -> [UInt8] {
        [isKeyframe ? 0x65 : 0x41, isFirst ? 0x88 : 0x48]
            + (0..<bytes).map { _ in UInt8.random(in: 1...255, using: &random) }
    }
}
