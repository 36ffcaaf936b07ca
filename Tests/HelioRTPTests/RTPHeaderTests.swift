import HelioCore
import HelioRTP
import Testing

struct RTPHeaderTests {
    @Test func writesTheFixedPart() {
        var packet: [UInt8] = []
        let header = RTPHeader(
            marker: true, payloadType: PayloadType(96), sequence: 0xFFFE, timestamp: 0x0102_0304,
            ssrc: SSRC(0xA0B0_C0D0))
        header.write(into: &packet, hasExtension: false)
        #expect(packet == hex("80 E0 FFFE 01020304 A0B0C0D0"))
        packet = []
        header.write(into: &packet, hasExtension: true)
        #expect(packet == hex("90 E0 FFFE 01020304 A0B0C0D0"))
    }

    @Test func readsEveryPart() {
        // Padding, an extension and two contributing sources; a payload of three bytes and padding of four.
        let packet = hex("B2 61 1234 01020304 A0B0C0D0 00000001 00000002 BEDE0001 10AA0000 010203 00000004")
        let header = RTPHeader.parse(packet.span.bytes)
        #expect(header?.marker == false)
        #expect(header?.payloadType == PayloadType(97))
        #expect(header?.sequence == 0x1234)
        #expect(header?.timestamp == 0x0102_0304)
        #expect(header?.ssrc == SSRC(0xA0B0_C0D0))
        #expect(header?.hasPadding == true)
        #expect(header?.extensionProfile == 0xBEDE)
        #expect(header?.extensionData == 24..<28)
        #expect(header?.length == 28)
        #expect(header?.payload(in: packet.span.bytes) == 28..<31)
    }

    /// The header of an encrypted packet is parsed before its padding is known.
    @Test(
        arguments: [
            ("A0 60 0001 00000000 00000001 01", 12..<12),
            ("A0 60 0001 00000000 00000001 AA 01", 12..<13),
            ("A0 60 0001 00000000 00000001 AA 00", nil),
            ("A0 60 0001 00000000 00000001 AA 03", nil),
            ("A0 60 0001 00000000 00000001 AA FF", nil),
            ("80 60 0001 00000000 00000001", 12..<12),
        ] as [(String, Range<Int>?)])
    func checksPadding(packet: String, payload: Range<Int>?) throws {
        let bytes = hex(packet)
        let header = RTPHeader.parse(bytes.span.bytes)
        #expect(header?.length == 12)
        #expect(header?.payload(in: bytes.span.bytes) == payload)
    }

    @Test(arguments: [
        "", "80", "80 60 0001 00000000 000000",
        // Versions 0, 1 and 3.
        "00 60 0001 00000000 00000001", "40 60 0001 00000000 00000001", "C0 60 0001 00000000 00000001",
        // Missing contributing sources, extension header, or extension data.
        "81 60 0001 00000000 00000001", "8F 60 0001 00000000 00000001 0000", "90 60 0001 00000000 00000001",
        "90 60 0001 00000000 00000001 BEDE", "90 60 0001 00000000 00000001 BEDE0001 000000",
        "90 60 0001 00000000 00000001 BEDEFFFF 00000000",
    ])
    func refusesWhatIsNotAllThere(packet: String) {
        let bytes = hex(packet)
        #expect(RTPHeader.parse(bytes.span.bytes) == nil)
    }
}
