import Testing

@testable import HelioLinuxClipboard

struct ClipboardEncodingTests {
    @Test func latin1GoesBothWays() {
        let all = (0...255).map { UInt8($0) }
        let text = ClipboardEncoding.utf8(latin1: all)
        #expect(String(decoding: text, as: UTF8.self).unicodeScalars.map(\.value) == (0...255).map { UInt32($0) })
        #expect(ClipboardEncoding.latin1(utf8: text) == all)
        #expect(ClipboardEncoding.latin1(utf8: Array("a€😀".utf8)) == Array("a??".utf8))
    }

    @Test(arguments: [true, false])
    func htmlInUTF16IsMadeUTF8(isLittle: Bool) {
        let html = "<b>ß👋</b>"
        let units = [0xFEFF] + html.utf16
        let bytes = units.flatMap { unit in
            let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
            return isLittle ? [low, high] : [high, low]
        }
        #expect(ClipboardEncoding.html(bytes) == Array(html.utf8))
        // An incomplete last code unit is dropped.
        #expect(ClipboardEncoding.html(bytes + [0x3C]) == Array(html.utf8))
        #expect(ClipboardEncoding.html(Array(html.utf8)) == Array(html.utf8))
        #expect(ClipboardEncoding.html([0xFF]) == [0xFF])
    }
}
