internal import CQREncode

/// Renders a QR code for a terminal.
enum TerminalQRCode {
    /// The modules of empty margin that readers need on each side (ISO/IEC 18004).
    private static let quietZone = 4

    /// Renders `string` as lines of text that show a QR code of the lowest error correction; one character shows two
    /// modules, one above the other (Unicode half blocks). `nil` if the string is empty or too long for a code.
    ///
    /// Each line sets the colours to black on white, for dark and for light terminals, and resets them at its end.
    static func render(_ string: String) -> String? {
        guard !string.isEmpty, let code = QRcode_encodeString8bit(string, 0, QR_ECLEVEL_L) else { return nil }
        defer { QRcode_free(code) }
        let width = Int(code.pointee.width)
        guard let modules = code.pointee.data else { return nil }
        func isDark(_ x: Int, _ y: Int) -> Bool {
            x >= 0 && y >= 0 && x < width && y < width && modules[y * width + x] & 1 == 1
        }
        var text = ""
        for y in stride(from: -quietZone, to: width + quietZone, by: 2) {
            text += "\u{1B}[30;107m"
            for x in -quietZone..<width + quietZone {
                switch (isDark(x, y), isDark(x, y + 1)) {
                case (false, false): text += " "
                case (true, false): text += "▀"
                case (false, true): text += "▄"
                case (true, true): text += "█"
                }
            }
            text += "\u{1B}[0m\n"
        }
        return text
    }
}
