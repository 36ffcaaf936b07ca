import HelioCore
import HelioRTP
import Testing

@Suite struct PacketizedSliceTests {
    /// Units of many sizes, none of which holds a start code.
    private static func units(_ codec: VideoCodec, _ sizes: [Int]) -> [[UInt8]] {
        sizes.map { size in
            (codec == .h264 ? [0x65] : [0x26, 0x01]) + (0..<size).map { UInt8($0 % 255 + 1) }
        }
    }

    @Test(arguments: VideoCodec.allCases, [64, 200, 1200])
    func payloadsAreThoseOfThePacketizer(codec: VideoCodec, size: Int) {
        let sizes = [
            [1], [3, 4, 5], [10, 2000, 10], [5000], [187, 188, 189], [51, 52, 53], [20, 20, 20, 20, 600, 1, 1],
        ]
        for sizes in sizes {
            for isLast in [true, false] {
                let annexB = Packets.annexB(Self.units(codec, sizes))
                var packetizer = Packets.packetizer(codec, size: size)
                let packets = Packets.make(annexB, with: &packetizer, isLast: isLast)
                let slice = EncodedSlice(
                    frameIndex: 3, annexB: annexB, isFirst: true, isLast: isLast, isKeyframe: true,
                    timing: Packets.timing)
                let shared = PacketizedSlice(slice, codec: codec, largestPayload: size - RTPHeader.fixedSize)
                #expect(shared.payloads.map { Array(shared.bytes[$0.range]) } == packets.map(\.payload))
                #expect(shared.payloads.map(\.isLast) == packets.map { $0.header?.marker })
                #expect(shared.longest == packets.map(\.payload.count).max())
                #expect(shared.payloads.last?.range.upperBound == shared.bytes.count)
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
