internal import CQREncode

/// Renders a QR code for a terminal.
enum TerminalQRCode {
    /// The width in modules of the empty margin that QR readers need on each side (ISO/IEC 18004).
    private static let quietZone = 4

    /// Black and white in the palette of 256 colours, outside the first 16: those depend on the theme, and some themes
    /// exchange black and white, which gives an inverted code that many readers reject.
    private static let (black, white) = (16, 231)

    /// Renders `string` as a QR code of the lowest error correction, in lines of text of which each character shows two
    /// modules, one above the other. Returns `nil` if the string is empty or too long for a code.
    ///
    /// The background of a cell has the colour of its upper module, and a lower half block is drawn only if the lower
    /// module differs. Full blocks would leave light seams in dark modules if the font's blocks are smaller than the
    /// cell, and zbar can't read a code with seams.
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

    /// Returns the control sequence (ECMA-48, SGR) that sets the background to one colour and the foreground to the
    /// other.
    private static func colours(isDarkGround: Bool) -> String {
        "\u{1B}[38;5;\(isDarkGround ? white : black);48;5;\(isDarkGround ? black : white)m"
    }
}
