import HelioBitstream
import HelioCore
import HelioRTP
import Testing

/// Row 8: depacketizing restores every packetized unit byte by byte.
struct RTPRoundTripTests {
    /// Returns a NAL unit of `count` bytes without a start code or a trailing zero.
    private func nalUnit(_ codec: VideoCodec, count: Int, _ random: inout SeededGenerator) -> [UInt8] {
        var nal: [UInt8] =
            codec == .h264
            ? [UInt8.random(in: 0...7, using: &random) << 5 | .random(in: 1...23, using: &random)]
            : [
                .random(in: 0...1, using: &random) << 7 | .random(in: 0..<48, using: &random) << 1
                    | .random(in: 0...1, using: &random),
                .random(in: 1...255, using: &random),
            ]
        while nal.count < count {
            // Zeros are common in coded video; two in a row occur with emulation prevention.
            let zero = nal.last != 0 && nal.count + 1 < count && Int.random(in: 0..<8, using: &random) == 0
            nal.append(zero ? 0 : .random(in: 2...255, using: &random))
        }
        return nal
    }

    private func check(_ slices: [[[UInt8]]], codec: VideoCodec, size: Int, timing: UInt8?) {
        var packetizer = Packets.packetizer(codec, size: size, timing: timing, first: 0xFFF0)
        var depacketizer = RTPDepacketizer(codec: codec)
        var frame: [UInt8] = []
        var markers: [Bool] = []
        for (index, slice) in slices.enumerated() {
            let isLast = index == slices.count - 1
            for packet in Packets.make(Packets.annexB(slice), with: &packetizer, isLast: isLast) {
                #expect(packet.bytes.count <= size)
                #expect(packet.header?.length == packet.headerLength)
                markers.append(packet.header?.marker ?? false)
                let outcome = depacketizer.append(payload: packet.payload.span.bytes, to: &frame)
                #expect(outcome == .whole || outcome == .partial)
            }
            #expect(!depacketizer.isPartial)
        }
        #expect(frame == Packets.annexB(Array(slices.joined())))
        #expect(markers.last == true && markers.filter { $0 }.count == 1)
    }

    /// Every length around the packet boundaries.
    @Test(arguments: VideoCodec.allCases, [nil, UInt8(1)])
    func everyLength(codec: VideoCodec, timing: UInt8?) {
        var random = SeededGenerator(seed: 8)
        for count in NALUnits.shortest(codec)...420 {
            check([[nalUnit(codec, count: count, &random)]], codec: codec, size: 100, timing: timing)
        }
    }

    @Test(arguments: VideoCodec.allCases, [64, 65, 100, 1200, 1452])
    func randomFrames(codec: VideoCodec, size: Int) {
        var random = SeededGenerator(seed: UInt64(size))
        for _ in 0..<100 {
            let slices = (0..<Int.random(in: 1...3, using: &random)).map { _ in
                (0..<Int.random(in: 1...6, using: &random)).map { _ in
                    let most = [NALUnits.shortest(codec), 8, size, size * 4].randomElement(using: &random) ?? size
                    let count = Int.random(in: NALUnits.shortest(codec)...most, using: &random)
                    return nalUnit(codec, count: count, &random)
                }
            }
            check(slices, codec: codec, size: size, timing: Bool.random(using: &random) ? 2 : nil)
        }
    }

    @Test(arguments: VideoCodec.allCases)
    func aLargeFrame(codec: VideoCodec) {
        var random = SeededGenerator(seed: 1)
        check([[nalUnit(codec, count: 100_000, &random)]], codec: codec, size: 1200, timing: 1)
    }

    private enum NALUnits {
        static func shortest(_ codec: VideoCodec) -> Int { codec == .h264 ? 1 : 2 }
    }
}
