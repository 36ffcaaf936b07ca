import HelioCore
import Testing

@Suite("Hexadecimal digits")
struct HexadecimalTests {
    @Test("bytes come back from their digits, in either case")
    func roundTrip() {
        let bytes = (0...255).map { UInt8($0) }
        let text = Hexadecimal.text(bytes)
        #expect(text.hasPrefix("000102") && text.hasSuffix("fdfeff"))
        #expect(Hexadecimal.bytes(text) == bytes)
        #expect(Hexadecimal.bytes(text.uppercased()) == bytes)
        #expect(Hexadecimal.bytes("") == [])
    }

    @Test("what is no pair of digits, and too many, are nothing", arguments: ["0", "0g", "é0", " 00", "0x00", "٣٣"])
    func refused(text: String) {
        #expect(Hexadecimal.bytes(text) == nil)
        #expect(Hexadecimal.bytes("0011", limit: 1) == nil)
        #expect(Hexadecimal.bytes("0011", limit: 2) == [0, 0x11])
    }
}
