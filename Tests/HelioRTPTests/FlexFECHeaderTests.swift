import HelioCore
import HelioRTP
import Testing

/// The vectors are computed by hand from section 4.2 of draft-ietf-payload-flexible-fec-scheme-03.
struct FlexFECHeaderTests {
    private static let ssrc = SSRC(0x1122_3344)
    /// Two packets of 3 and 5 payload bytes and their parity: timestamps 0x64 and 0x65, payload type 96, the second
    /// with the marker.
    private static let first = "80 60 0001 00000064 11223344 AABBCC"
    private static let second = "80 E0 0002 00000065 11223344 0102030405"
    private static let recovery = "00 80 0006 00000001"
    private static let head = recovery + "01 000000 11223344 FFFE"

    static let masks: [([Int], String)] = [
        // One mask: the k bit, then 15 bits.
        ([0], "C000"), ([14], "8001"), ([0, 2, 14], "D001"),
        // Two masks: 15 bits, a k bit, 31 bits.
        ([15], "0000 C0000000"), ([0, 15, 45], "4000 C0000001"),
        // Three masks: the last one with the k bit and 63 bits.
        ([46], "0000 00000000 C000000000000000"), ([14, 45, 46, 108], "0001 00000001 C000000000000001"),
    ]

    private func header(_ places: [Int]) throws -> FlexFECHeader {
        var recovery = FlexFECRecovery()
        let isAdded1 = recovery.add(packet: hex(Self.first).span.bytes)
        #expect(isAdded1)
        let isAdded2 = recovery.add(packet: hex(Self.second).span.bytes)
        #expect(isAdded2)
        return try #require(FlexFECHeader(recovery, of: Self.ssrc, base: 0xFFFE, places: places))
    }

    @Test(arguments: masks) func goesInAndOut(places: [Int], mask: String) throws {
        let header = try header(places)
        var written: [UInt8] = []
        header.write(into: &written)
        #expect(written == hex(Self.head + mask))
        #expect(written.count == header.size)
        #expect(FlexFECHeader.parse((written + [0xFF]).span.bytes) == header)
    }

    @Test(arguments: masks) func isNothingWhereItIsCut(places: [Int], mask: String) {
        let whole = hex(Self.head + mask)
        for count in 0..<whole.count { #expect(FlexFECHeader.parse(Array(whole[..<count]).span.bytes) == nil) }
    }

    @Test(
        "what is not read",
        arguments: [
            // A retransmission, a fixed mask of rows and columns, no stream, two streams.
            "80 80 0006 00000001 01 000000 11223344 FFFE C000", "40 80 0006 00000001 01 000000 11223344 FFFE C000",
            "00 80 0006 00000001 00 000000 11223344 FFFE C000", "00 80 0006 00000001 02 000000 11223344 FFFE C000",
            // No protected packet; a mask without an end.
            "00 80 0006 00000001 01 000000 11223344 FFFE 8000",
            "00 80 0006 00000001 01 000000 11223344 FFFE 4000 40000000 4000000000000000",
        ])
    func isNotRead(payload: String) { #expect(FlexFECHeader.parse(hex(payload).span.bytes) == nil) }

    @Test(arguments: [[], [-1], [109], [1, 0], [3, 3]] as [[Int]]) func protectsNothing(places: [Int]) {
        #expect(FlexFECHeader(FlexFECRecovery(), of: Self.ssrc, base: 0, places: places) == nil)
    }

    @Test func whatIsLeftIsThePacket() throws {
        var recovery = try header([0, 1]).recovery
        let isAdded3 = recovery.add(packet: hex(Self.first).span.bytes)
        #expect(isAdded3)
        // The XOR of AABBCC and 0102030405 is ABB9CF0405; XORed with the first it is the second again.
        let rest = hex("0102030405")
        #expect(recovery.packet(sequence: 2, ssrc: Self.ssrc, rest: rest) == hex(Self.second))
        #expect(recovery.packet(sequence: 2, ssrc: Self.ssrc, rest: rest + [9, 9]) == hex(Self.second))
        #expect(recovery.packet(sequence: 2, ssrc: Self.ssrc, rest: [1, 2, 3, 4]) == nil)
    }

    @Test func noPacketIsAdded() {
        var recovery = FlexFECRecovery()
        let isAdded4 = recovery.add(packet: hex("80 60 0001 00000064 112233").span.bytes)
        #expect(!isAdded4)
        let isAdded5 = recovery.add(packet: [UInt8](repeating: 0x80, count: 65_536 + 12).span.bytes)
        #expect(!isAdded5)
        #expect(recovery == FlexFECRecovery())
    }

    @Test("an extension longer than the packet is none") func noPacketIsLeft() {
        var recovery = FlexFECRecovery()
        let packet = hex("90 60 0001 00000064 11223344 BEDE0001 10AA0000 07")
        let isAdded6 = recovery.add(packet: packet.span.bytes)
        #expect(isAdded6)
        #expect(recovery.packet(sequence: 1, ssrc: Self.ssrc, rest: hex("BEDE0001 10AA0000 07")) == packet)
        #expect(recovery.packet(sequence: 1, ssrc: Self.ssrc, rest: hex("BEDE0009 10AA0000 07")) == nil)
    }
}
