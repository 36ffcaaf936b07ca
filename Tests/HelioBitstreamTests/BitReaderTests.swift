import HelioBitstream
import HelioCore
import Testing

struct BitReaderTests {
    /// The codes of H.264 table 9-2, and the largest code.
    @Test(arguments: [
        ("80", UInt32(0)), ("40", 1), ("60", 2), ("20", 3), ("28", 4), ("38", 6), ("10", 7), ("0100", 127),
        ("00000001FFFFFFFE", UInt32.max - 1),
    ])
    func readsExponentialGolomb(bytes: String, value: UInt32) throws {
        var reader = BitReader(hex(bytes))
        #expect(try reader.unsigned() == value)
    }

    /// The codes of H.264 table 9-3.
    @Test(arguments: [("80", Int32(0)), ("40", 1), ("60", -1), ("20", 2), ("28", -2), ("30", 3)])
    func readsSigned(bytes: String, value: Int32) throws {
        var reader = BitReader(hex(bytes))
        #expect(try reader.signed() == value)
    }

    @Test(arguments: [
        ("", BitstreamError.truncated), ("00", .truncated), ("01", .truncated), ("0000000080000000", .invalid),
        ("0000000000000000", .invalid),
    ])
    func refusesCodesThatDoNotEnd(bytes: String, error: BitstreamError) {
        var reader = BitReader(hex(bytes))
        #expect(throws: error) { try reader.unsigned() }
    }

    @Test func refusesMoreThanTheLimit() throws {
        var reader = BitReader(hex("28"))
        #expect(throws: BitstreamError.invalid) { try reader.unsigned(atMost: 3) }
    }

    @Test func readsNoFurtherThanTheEnd() throws {
        var reader = BitReader(hex("A5C3"))
        #expect(try reader.bits(4) == 0xA)
        #expect(try reader.bits(12) == 0x5C3)
        #expect(try reader.bits(0) == 0)
        #expect(throws: BitstreamError.truncated) { try reader.flag() }
        #expect(throws: BitstreamError.truncated) { try reader.skip(1) }
    }

    /// An emulation prevention byte is removed only after two zero bytes.
    @Test(arguments: [
        ("67 00 00 03 01", "000001"), ("67 00 00 03 00 00 03", "00000000"), ("67 00 03 00", "000300"),
        ("67 00 00 03 03 00 00 00 03", "000003000000"), ("67 00 00 02", "000002"),
    ])
    func takesOutEmulationPrevention(nal: String, payload: String) throws {
        let expected = hex(payload)
        var reader = BitReader(nal: hex(nal).span.bytes, header: 1, limit: 100)
        #expect(reader.bitsLeft == expected.count * 8)
        for byte in expected { #expect(try reader.byte() == byte) }
    }

    @Test func looksNoFurtherThanTheLimit() {
        #expect(BitReader(nal: hex("67 01 02 03").span.bytes, header: 1, limit: 3).bitsLeft == 16)
        #expect(BitReader(nal: hex("67").span.bytes, header: 2, limit: 3).bitsLeft == 0)
    }

    @Test(arguments: [
        ("80", 0, false), ("C0", 0, true), ("C0", 1, false), ("0180", 7, true), ("0180", 8, false), ("0000", 0, false),
    ])
    func seesTrailingBits(bytes: String, skip: Int, hasMore: Bool) throws {
        var reader = BitReader(hex(bytes))
        try reader.skip(skip)
        #expect(reader.hasMoreData == hasMore)
    }

    private struct Field {
        var kind: Int
        var value: UInt32
    }

    @Test func readsWhatWasWritten() throws {
        var random = SeededGenerator(seed: 9)
        for _ in 0..<200 {
            let fields = (0..<20).map { _ in
                Field(
                    kind: .random(in: 0..<3, using: &random),
                    value: .random(in: 0..<1 << 31, using: &random) >> UInt32.random(in: 0..<31, using: &random))
            }
            var writer = BitWriter()
            for field in fields {
                switch field.kind {
                case 0: writer.bits(field.value, 31)
                case 1: writer.unsigned(field.value)
                default: writer.signed(-Int32(field.value))
                }
            }
            var annexB: [UInt8] = []
            writer.finish(header: [0x67], into: &annexB)
            #expect(AnnexB.nalUnits(in: annexB.span.bytes) == [4..<annexB.count])
            var reader = BitReader(nal: annexB.span.bytes.extracting(4..<annexB.count), header: 1, limit: 4096)
            for field in fields {
                switch field.kind {
                case 0: #expect(try reader.bits(31) == field.value)
                case 1: #expect(try reader.unsigned() == field.value)
                default: #expect(try reader.signed() == -Int32(field.value))
                }
            }
            #expect(!reader.hasMoreData)
        }
    }

    @Test(arguments: [
        ("000000", "000003 00 80"), ("000001", "00000301 80"), ("000004", "000004 80"), ("0000", "0000 80"),
    ])
    func writesEmulationPrevention(payload: String, written: String) {
        var writer = BitWriter()
        for byte in hex(payload) { writer.bits(UInt32(byte), 8) }
        var annexB: [UInt8] = []
        writer.finish(header: [0x06], into: &annexB)
        #expect(annexB == hex("0000000106" + written))
    }
}
