import HelioCore
import HelioRTP
import Testing

struct ParityHeaderTests {
    @Test func goesInAndOut() throws {
        let header = try #require(ParityHeader(first: 0xFFFE, sources: 48, parities: 7, index: 6))
        var bytes: [UInt8] = []
        header.write(into: &bytes)
        #expect(bytes == hex("FFFE 30 07 06"))
        #expect(bytes.count == ParityHeader.size)
        #expect(ParityHeader.parse((bytes + [1, 2, 3]).span.bytes) == header)
    }

    @Test(arguments: [
        "", "0001 01 01",
        // No sources, or too many; no parities, or too many; an index beyond their number.
        "0001 00 01 00", "0001 81 01 00", "0001 FF 01 00", "0001 01 00 00", "0001 01 81 00", "0001 01 01 01",
        "0001 05 03 FF",
    ])
    func tellsOfNoBlock(payload: String) {
        #expect(ParityHeader.parse(hex(payload).span.bytes) == nil)
    }

    @Test(arguments: ["0001 80 80 7F", "FFFF 01 01 00", "0000 01 80 00"])
    func tellsOfABlock(payload: String) {
        #expect(ParityHeader.parse(hex(payload).span.bytes) != nil)
    }
}
