import HelioBitstream
import Testing

struct OpusPacketTests {
    private func parse(_ bytes: [UInt8]) -> OpusPacket? { OpusPacket(bytes.span.bytes) }

    struct Vector: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var packet: String
        /// The number of bytes of frame data that `packet` omits.
        var more = 0
        var mode: OpusPacket.Mode
        var bandwidth: OpusPacket.Bandwidth
        var channels = 1
        var frameLength: Int
        var frameCount = 1
    }

    /// Made with libopus 1.3.1 (`opus_encode`; packets of several frames with its repacketizer and `opus_packet_pad`);
    /// the numbers are what its `opus_packet_get_…` say.
    static let vectors = [
        Vector(
            testDescription: "2.5 ms, stereo, 128 kbit/s", packet: "e4ae0f2eebedc755fa63abab", more: 25, mode: .celt,
            bandwidth: .full, channels: 2, frameLength: 120),
        Vector(
            testDescription: "5 ms", packet: "ecae3ddc96e15cd26e8ccaa5", more: 58, mode: .celt, bandwidth: .full,
            channels: 2, frameLength: 240),
        Vector(
            testDescription: "20 ms", packet: "fcac9d7c4558621e77e9d71f", more: 343, mode: .celt, bandwidth: .full,
            channels: 2, frameLength: 960),
        Vector(
            testDescription: "speech, wideband", packet: "489ff9b9693eb4925fd02d23", more: 34, mode: .silk,
            bandwidth: .wide, frameLength: 960),
        Vector(
            testDescription: "speech, super-wideband", packet: "689c93df759cfc4b5461139d", more: 51, mode: .hybrid,
            bandwidth: .superWide, frameLength: 960),
        Vector(
            testDescription: "60 ms in a frame", packet: "58e8043f89249ab3114f0a8d", more: 122, mode: .silk,
            bandwidth: .wide, frameLength: 2880),
        Vector(
            testDescription: "10 ms, narrowband", packet: "00adfd8f37343d5464a5ddfd", more: 1, mode: .silk,
            bandwidth: .narrow, frameLength: 480),
        Vector(
            testDescription: "code 1: two of one size", packet: "81fffe00743560", mode: .celt, bandwidth: .narrow,
            frameLength: 120, frameCount: 2),
        Vector(
            testDescription: "code 2: two of two sizes", packet: "8202fffe741b79b9628033", mode: .celt,
            bandwidth: .narrow, frameLength: 120, frameCount: 2),
        Vector(
            testDescription: "code 3", packet: "8303fffe007435601fd0ba", mode: .celt, bandwidth: .narrow,
            frameLength: 120, frameCount: 3),
        Vector(
            testDescription: "code 3, sizes", packet: "83830207fffe741b79b9628033288260d4", mode: .celt,
            bandwidth: .narrow, frameLength: 120, frameCount: 3),
        Vector(
            testDescription: "code 3, padded", packet: "834309fffe007435601fd0ba000000000000000000", mode: .celt,
            bandwidth: .narrow, frameLength: 120, frameCount: 3),
        Vector(
            testDescription: "code 3, sizes, padded",
            packet: "83c3090207fffe741b79b9628033288260d4000000000000000000", mode: .celt, bandwidth: .narrow,
            frameLength: 120, frameCount: 3),
    ]

    @Test(arguments: vectors)
    func readsWhatLibopusWrites(_ vector: Vector) throws {
        let packet = try #require(parse(hex(vector.packet) + [UInt8](repeating: 0x55, count: vector.more)))
        #expect(packet.mode == vector.mode)
        #expect(packet.bandwidth == vector.bandwidth)
        #expect(packet.channels == vector.channels)
        #expect(packet.frameLength == vector.frameLength)
        #expect(packet.frameCount == vector.frameCount)
        #expect(packet.frames == vector.frameLength * vector.frameCount)
    }

    /// Table 2 of RFC 6716: the frame length of each configuration.
    @Test func everyConfiguration() {
        let lengths = (UInt8(0)..<32).map { parse([$0 << 3])?.frameLength }
        let silk = [480, 960, 1920, 2880]
        let celt = [120, 240, 480, 960]
        #expect(lengths == silk + silk + silk + [480, 960, 480, 960] + celt + celt + celt + celt)
    }

    /// Frames of 1275 bytes are valid, of 1276 are not (R2); section 3.2.1 gives the bytes of two-byte lengths.
    @Test(arguments: [
        ("00", 1275, true), ("00", 1276, false), ("01", 2550, true), ("01", 2552, false), ("02 FFFF", 2550, true),
        ("02 FFFF", 2551, false),
        ("02 FFFF", 1274, false), ("02 FFFE", 1275, true), ("02 FFFE", 1272, true), ("02 FFFE", 1270, false),
        ("03 01", 1275, true), ("03 01", 1276, false), ("03 C2 00 FCFA", 2527, true), ("03 82 FCFA", 2528, false),
    ])
    func frameSizes(head: String, more: Int, isGood: Bool) {
        #expect((parse(hex(head) + [UInt8](repeating: 1, count: more)) != nil) == isGood)
    }

    static let hostile: [(String, String)] = [
        ("nothing", ""),
        ("R3: two frames, an odd number of bytes", "81 01 02 03"),
        ("R4: no first length", "82"), ("R4: half a first length", "82 FC"), ("R4: a length past the end", "82 05 01"),
        ("R5: no number of frames", "83"), ("R5: no frame", "83 00"), ("R5: more than 120 ms", "1B 03 01 01 01"),
        ("R5: 49 frames of 2.5 ms", "83 31"),
        ("R6: not a whole number of frames", "83 02 01 01 01"), ("R6: padding length missing", "83 41"),
        ("R6: padding past the end", "83 41 03 01 01"), ("R6: padding length without end", "83 41 FF FF FF"),
        ("R6: 254 bytes of padding that are not there", "83 41 FF 00 01"),
        ("R7: lengths missing", "83 83 01"), ("R7: lengths past the end", "83 83 02 02 01 01 01"),
        ("R7: a length cut in two by padding", "83 C2 01 FC 00"),
    ]

    @Test(arguments: hostile)
    func refused(name: String, packet: String) {
        #expect(parse(hex(packet)) == nil)
    }

    /// An empty frame is one that was lost or not sent (section 3.2.1).
    @Test func emptyFramesAreFrames() {
        #expect(parse([0xE0])?.frames == 120)
        #expect(parse(hex("83 30"))?.frames == 5760)
        #expect(parse(hex("82 00"))?.frames == 240)
    }
}
