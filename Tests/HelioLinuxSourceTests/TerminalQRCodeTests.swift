import CQREncode
import Testing

@testable import HelioLinuxSource

@Suite struct TerminalQRCodeTests {
    /// The drawn modules are those of the code, with a quiet zone of four light ones around.
    @Test(arguments: ["heliograph://192.0.2.7:4747/?k=abcdefghijklmnop", "x", String(repeating: "ü1", count: 300)])
    func drawsTheCode(text: String) throws {
        let code = try #require(QRcode_encodeString8bit(text, 0, QR_ECLEVEL_L))
        defer { QRcode_free(code) }
        let width = Int(code.pointee.width)
        let lines = try #require(TerminalQRCode.render(text)).split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == (width + 9) / 2)
        var drawn: [[Bool]] = []
        for line in lines {
            let rows = try Self.modules(of: line)
            drawn.append(rows.upper)
            drawn.append(rows.lower)
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

    private struct NotDrawn: Error { var text: String }

    /// The two rows of modules that a line shows: true for dark ones. Throws on a character that leaves gaps between
    /// dark modules, and on a colour that themes may change.
    private static func modules(of line: Substring) throws -> (upper: [Bool], lower: [Bool]) {
        var rows: (upper: [Bool], lower: [Bool]) = ([], [])
        var isDarkGround: Bool?
        var rest = line
        while rest != "\u{1B}[0m" {
            if rest.hasPrefix("\u{1B}[38;5;16;48;5;231m") {
                isDarkGround = false
            } else if rest.hasPrefix("\u{1B}[38;5;231;48;5;16m") {
                isDarkGround = true
            } else {
                guard let isDark = isDarkGround, let character = rest.popFirst(), " ▄".contains(character) else {
                    throw NotDrawn(text: String(rest))
                }
                rows.upper.append(isDark)
                rows.lower.append(character == " " ? isDark : !isDark)
                continue
            }
            rest = rest.drop { $0 != "m" }.dropFirst()
        }
        return rows
    }
}
