import CQREncode
import Testing

@testable import HelioLinuxSource

@Suite struct TerminalQRCodeTests {
    /// The modules that are drawn are those of the code, with four light ones around.
    @Test(arguments: ["heliograph://192.0.2.7:4747/?k=abcdefghijklmnop", "x", String(repeating: "ü1", count: 300)])
    func drawsTheCode(text: String) throws {
        let code = try #require(QRcode_encodeString8bit(text, 0, QR_ECLEVEL_L))
        defer { QRcode_free(code) }
        let width = Int(code.pointee.width)
        let lines = try #require(TerminalQRCode.render(text)).split(separator: "\n")
        #expect(lines.count == (width + 9) / 2)
        var drawn: [[Bool]] = []
        for line in lines {
            #expect(line.hasPrefix("\u{1B}[30;107m"))
            #expect(line.hasSuffix("\u{1B}[0m"))
            let characters = line.dropFirst(9).dropLast(4)
            drawn.append(characters.map { $0 == "▀" || $0 == "█" })
            drawn.append(characters.map { $0 == "▄" || $0 == "█" })
        }
        for y in drawn.indices {
            #expect(drawn[y].count == width + 8)
            for x in drawn[y].indices {
                let isInside = (4..<width + 4).contains(x) && (4..<width + 4).contains(y)
                let expected = isInside && code.pointee.data[(y - 4) * width + x - 4] & 1 == 1
                #expect(drawn[y][x] == expected)
            }
        }
    }

    @Test(arguments: ["", String(repeating: "x", count: 3000)])
    func whatHasNoCode(text: String) {
        #expect(TerminalQRCode.render(text) == nil)
    }
}
