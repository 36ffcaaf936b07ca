internal import CQREncode

/// Renders a QR code for a terminal.
enum TerminalQRCode {
    /// The modules of empty margin that readers need on each side (ISO/IEC 18004).
    private static let quietZone = 4

    /// Black and white of the fixed palette of 256 colours: the first 16 are the theme's, and some themes exchange black
    /// and white there, which gives an inverted code that many readers refuse.
    private static let (black, white) = (16, 231)

    /// Renders `string` as lines of text that show a QR code of the lowest error correction; one character shows two
    /// modules, one above the other. `nil` if the string is empty or too long for a code.
    ///
    /// The background of a cell has the colour of its upper module, and a lower half block is drawn only where the lower
    /// module differs. A whole block would leave a light seam in dark modules where the font's blocks are lower or
    /// narrower than the cell, and zbar reads no code with seams.
    static func render(_ string: String) -> String? {
        guard !string.isEmpty, let code = QRcode_encodeString8bit(string, 0, QR_ECLEVEL_L) else { return nil }
        defer { QRcode_free(code) }
        let width = Int(code.pointee.width)
        guard let modules = code.pointee.data else { return nil }
        func isDark(_ x: Int, _ y: Int) -> Bool {
            x >= 0 && y >= 0 && x < width && y < width && modules[y * width + x] & 1 == 1
        }
        let lines = stride(from: -quietZone, to: width + quietZone, by: 2).map { y in
            var line = ""
            var ground: Bool?
            for x in -quietZone..<width + quietZone {
                let isUpperDark = isDark(x, y)
                if ground != isUpperDark { line += colours(isDarkGround: isUpperDark) }
                ground = isUpperDark
                line += isDark(x, y + 1) == isUpperDark ? " " : "▄"
            }
            return line + "\u{1B}[0m"
        }
        return lines.joined(separator: "\n")
    }

    /// The control sequence (ECMA-48, SGR) for a ground of one colour and half blocks of the other.
    private static func colours(isDarkGround: Bool) -> String {
        "\u{1B}[38;5;\(isDarkGround ? white : black);48;5;\(isDarkGround ? black : white)m"
    }
}
