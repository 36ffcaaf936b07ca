import HelioBitstream
import HelioCore
import Testing

struct AnnexBTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var stream: String
        var nalUnits: [String]

        init(_ name: String, _ stream: String, _ nalUnits: [String]) {
            testDescription = name
            self.stream = stream
            self.nalUnits = nalUnits
        }
    }

    @Test(arguments: [
        Case("nothing", "", []),
        Case("no start code", "65 88 84", []),
        Case("start code alone", "000001", []),
        Case("a start code cut off", "0000", []),
        Case("four bytes", "00000001 65", ["65"]),
        Case("three bytes", "000001 65", ["65"]),
        Case("both", "00000001 67 42 000001 68 CE 00000001 65 88", ["6742", "68CE", "6588"]),
        Case("rubbish first", "FF 00 07 000001 65", ["65"]),
        Case("many zeros before", "0000000000000001 65", ["65"]),
        Case("trailing zeros", "000001 65 88 000000", ["6588"]),
        Case("trailing zeros between", "000001 65 88 0000000000 000001 41", ["6588", "41"]),
        Case("start codes with nothing behind", "000001 000001 00000001 41 000001", ["41"]),
        Case("emulation prevention stays", "000001 65 000003 01 000001 41", ["6500000301", "41"]),
        Case("1 after a single zero", "000001 65 00 01 02", ["65000102"]),
        Case("a start code across words", "00000001 06 05 01 02 03 000001 41", ["0605010203", "41"]),
        Case("zeros alone", "000000000000000000000000", []),
    ])
    func findsNALUnits(_ sample: Case) {
        let stream = hex(sample.stream)
        #expect(AnnexB.nalUnits(in: stream.span.bytes).map { Array(stream[$0]) } == sample.nalUnits.map(hex))
    }

    /// Finds a start code at every offset in a word of eight bytes, for both lengths of start code.
    @Test(arguments: 0..<24, [3, 4])
    func findsAStartCodeAnywhere(before: Int, length: Int) {
        let first = [0x41] + [UInt8](repeating: 0x80, count: before)
        let stream = [0, 0, 1] + first + AnnexB.startCode.suffix(length) + [0x65, 0x88]
        let found = AnnexB.nalUnits(in: stream.span.bytes).map { Array(stream[$0]) }
        #expect(found == [first, [0x65, 0x88]])
    }

    @Test func agreesWithASearchByteByByte() {
        var random = SeededGenerator(seed: 43)
        for _ in 0..<2000 {
            let stream = (0..<Int.random(in: 0..<64, using: &random)).map { _ -> UInt8 in
                [0, 0, 0, 1, 2, 3, 0xFF].randomElement(using: &random) ?? 0
            }
            #expect(AnnexB.nalUnits(in: stream.span.bytes) == slowSearch(stream), "\(stream)")
        }
    }

    private func slowSearch(_ stream: [UInt8]) -> [Range<Int>] {
        let codes = stream.indices.filter { stream[$0...].starts(with: [0, 0, 1]) }
        var ranges: [Range<Int>] = []
        for (index, code) in codes.enumerated() {
            var end = index + 1 < codes.count ? codes[index + 1] : stream.count
            while end > code + 3, stream[end - 1] == 0 { end -= 1 }
            if end > code + 3 { ranges.append(code + 3..<end) }
        }
        return ranges
    }

    @Test func aCopiedCursorGoesOnFromItsPlace() {
        let stream = hex("000001 41 000001 42 000001 43")
        var cursor = AnnexB.Cursor()
        #expect(cursor.next(in: stream.span.bytes) == 3..<4)
        var copy = cursor
        #expect(cursor.next(in: stream.span.bytes) == 7..<8)
        #expect(cursor.next(in: stream.span.bytes) == 11..<12)
        #expect(cursor.next(in: stream.span.bytes) == nil)
        #expect(cursor.next(in: stream.span.bytes) == nil)
        #expect(copy.next(in: stream.span.bytes) == 7..<8)
    }

    @Test(arguments: [
        ("00000001 67 42 00000001 68 CE 00000001 65 88", VideoCodec.h264, true),
        ("00000001 06 05 000001 65 88", .h264, true),
        ("00000001 41 9A", .h264, false),
        ("00000001 67 42 00000001 68 CE", .h264, false),
        ("00000001 40 01 00000001 42 01 00000001 28 01", .h265, true),
        ("00000001 2A 01", .h265, true),
        ("00000001 02 01", .h265, false),
        ("", .h265, false),
    ])
    func tellsAKeyframe(stream: String, codec: VideoCodec, isKeyframe: Bool) {
        #expect(AnnexB.containsKeyframe(hex(stream).span.bytes, codec: codec) == isKeyframe)
    }
}
