/// A line of human-readable output, consisting of parts with different styles.
///
/// The text may come from the network, so control characters are shown as "?": they could move the cursor or set the
/// terminal's title.
package struct TerminalText: Sendable, Equatable, ExpressibleByStringLiteral {
    /// The style of a part, if the terminal can show styles.
    package enum Style: Sendable, Equatable {
        case plain
        case bold
        case dim
        case red
        /// Trusted text with escape sequences, such as a QR code. It is written unchanged, so it is only for a terminal
        /// with styles and Unicode.
        case ready
        /// A line that programs read; it is written unchanged, except to a terminal.
        case data
    }

    private struct Part: Sendable, Equatable {
        var text: String
        var style: Style
    }

    private var parts: [Part]

    package init(_ text: String, _ style: Style = .plain) { parts = [Part(text: text, style: style)] }

    package init(stringLiteral text: String) { self.init(text) }

    package static func + (left: Self, right: Self) -> Self {
        var sum = left
        sum.parts += right.parts
        return sum
    }

    package static func += (left: inout Self, right: Self) { left.parts += right.parts }

    /// The text without styles.
    package var plain: String { parts.map(\.text).joined() }

    /// Returns the text for an output, with styles and replacements according to its capabilities, without an end of
    /// line.
    package func shown(by abilities: OutputAbilities) -> String {
        parts.map { part in
            if part.style == .ready || part.style == .data && !abilities.isTerminal { return part.text }
            let words = Self.clean(part.text, isUnicode: abilities.isUnicode)
            guard abilities.hasStyles, let code = Self.code(of: part.style), !words.isEmpty else { return words }
            return "\u{1B}[\(code)m\(words)\u{1B}[0m"
        }
        .joined()
    }

    /// Returns the text cut to one row of `columns` columns. The last column stays empty, as some terminals wrap there.
    package func shown(by abilities: OutputAbilities, inColumns columns: Int) -> String {
        var left = max(0, columns - 1)
        var row = self
        row.parts = []
        for part in parts where left > 0 {
            var text = ""
            for character in part.text.replacing("\n", with: " ") {
                let width = Self.columns(of: character)
                guard width <= left else {
                    left = 0
                    break
                }
                left -= width
                text.append(character)
            }
            row.parts.append(Part(text: text, style: part.style))
        }
        return row.shown(by: abilities)
    }

    private static func code(of style: Style) -> Int? {
        switch style {
        case .plain, .ready, .data: nil
        case .bold: 1
        case .dim: 2
        case .red: 31
        }
    }

    /// Returns the approximate number of columns of a character: 2 for East Asian characters and emoji, otherwise 1.
    private static func columns(of character: Character) -> Int {
        guard let first = character.unicodeScalars.first else { return 0 }
        let isWide =
            (0x1100...0x115F).contains(first.value) || (0x2E80...0xA4CF).contains(first.value)
            || (0xAC00...0xD7A3).contains(first.value) || (0xF900...0xFAFF).contains(first.value)
            || (0xFE30...0xFE6F).contains(first.value) || (0xFF00...0xFF60).contains(first.value)
            || (0xFFE0...0xFFE6).contains(first.value) || first.value >= 0x1F000
        return isWide ? 2 : 1
    }

    /// The ASCII spellings of common characters.
    private static let spellings: [Unicode.Scalar: String] = [
        "●": "*", "·": "-", "…": "...", "–": "-", "—": "-", "‘": "'", "’": "'", "“": "\"", "”": "\"", "ä": "ae",
        "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss", "é": "e", "è": "e", "á": "a", "à": "a",
    ]

    private static func clean(_ text: String, isUnicode: Bool) -> String {
        let isFine = text.utf8.allSatisfy { (0x20..<0x7F).contains($0) || $0 == 0x0A }
        if isFine { return text }
        var clean = ""
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            // Keep the zero-width joiner and non-joiner, which letters and emoji need.
            case .format where isUnicode && (scalar == "\u{200C}" || scalar == "\u{200D}"):
                clean.unicodeScalars.append(scalar)
            // Format characters include direction marks, which can reorder a line's words.
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate:
                clean += scalar == "\n" ? "\n" : scalar == "\t" ? " " : "?"
            default:
                if isUnicode || scalar.isASCII {
                    clean.unicodeScalars.append(scalar)
                } else {
                    clean += spellings[scalar] ?? "?"
                }
            }
        }
        return clean
    }
}
