import HelioCore
import HelioRTP
import Testing

@Suite struct PacketizedSliceTests {
    /// Returns NAL units of the given sizes, without start codes in them.
    private static func units(_ codec: VideoCodec, _ sizes: [Int]) -> [[UInt8]] {
        sizes.map { size in
            (codec == .h264 ? [0x65] : [0x26, 0x01]) + (0..<size).map { UInt8($0 % 255 + 1) }
        }
    }

    @Test(
        "payloads keep to their limits, the last alone has the marker, and they make the same NAL units again",
        arguments: VideoCodec.allCases, [64, 200, 1200])
    func wholeAndWithinLimits(codec: VideoCodec, size: Int) {
        let sizes = [
            [1], [3, 4, 5], [10, 2000, 10], [5000], [187, 188, 189], [51, 52, 53], [20, 20, 20, 20, 600, 1, 1],
        ]
        let limits = PacketizedSlice.Limits(last: size - 32, other: size - 12)
        for sizes in sizes {
            for isLast in [true, false] {
                let annexB = Packets.annexB(Self.units(codec, sizes))
                let slice = EncodedSlice(
                    frameIndex: 3, annexB: annexB, isFirst: true, isLast: isLast, isKeyframe: true,
                    timing: Packets.timing)
                let shared = PacketizedSlice(slice, codec: codec, limits: limits)
                #expect(shared.payloads.dropLast().allSatisfy { !$0.isLast && $0.range.count <= limits.other })
                #expect(shared.payloads.last?.isLast == isLast)
                #expect(shared.fits(limits) && shared.limits == limits)
                #expect(shared.longest == shared.payloads.map(\.range.count).max())
                let longest = PacketizedSlice.Limits(last: limits.last, other: shared.longest - 1)
                #expect(!shared.fits(longest))
                #expect(shared.payloads.last?.range.upperBound == shared.bytes.count)
                var depacketizer = RTPDepacketizer(codec: codec)
                var collected: [UInt8] = []
                for payload in shared.payloads {
                    _ = depacketizer.append(
                        payload: shared.bytes.span.bytes.extracting(payload.range), to: &collected)
                }
                #expect(collected == annexB)
            }
        }
    }

    @Test func nothingToCarry() {
        let slice = EncodedSlice(
            frameIndex: 0, annexB: [0, 0, 1, 0x78, 1], isFirst: true, isLast: true, isKeyframe: false,
            timing: Packets.timing)
        let shared = PacketizedSlice(slice, codec: .h264, largestPayload: PacketizedSlice.leastPayload)
        #expect(shared.payloads.isEmpty && shared.bytes.isEmpty && shared.longest == 0)
    }
}
