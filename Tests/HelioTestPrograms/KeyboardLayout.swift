/// A common keyboard layout, with the characters that its keys type in a third-party X client.
package struct KeyboardLayout: Sendable, CustomStringConvertible {
    /// The layout's name for `setxkbmap`.
    package let name: String
    /// The key sequence of a dead key, with the resulting text; `nil` if the layout has none.
    package let dead: (strokes: [Desktop.Stroke], text: String)?

    package var description: String { name }

    package static let all: [KeyboardLayout] = {
        typealias Stroke = Desktop.Stroke
        let e = Stroke(26)
        return [
            .init(name: "us", dead: nil),
            .init(name: "de", dead: ([Stroke(21), e], "é")),
            .init(name: "fr", dead: ([Stroke(34), e], "ê")),
            .init(name: "es", dead: ([Stroke(48), e], "é")),
            .init(name: "cz", dead: ([Stroke(21), e], "é")),
            .init(name: "ru", dead: nil),
            .init(name: "gr", dead: ([Stroke(47), e], "έ")),
            .init(name: "jp", dead: nil),
            .init(name: "kr", dead: nil),
            .init(name: "ch", dead: ([Stroke(35), e], "ë")),
            .init(name: "us(intl)", dead: ([Stroke(48), e], "é")),
            .init(name: "us(dvorak)", dead: nil),
        ]
    }()

    /// The keys that type a character on some keyboard: rows, space, extra keys of European and Japanese keyboards,
    /// keypad.
    private static let keys: [UInt8] =
        Array(10...21) + Array(24...35) + Array(38...49) + Array(51...61) + [65, 94, 97, 132, 63, 82, 86, 106]
        + Array(79...91)

    /// Returns the strokes that type a character with the current locks: keys alone, with Shift, and with AltGr if the
    /// layout has it.
    ///
    /// - Parameters:
    ///   - desktop: a desktop with this layout.
    ///   - client: a client on that desktop.
    package static func strokes(
        _ desktop: Desktop, _ client: KeyClient
    ) throws -> [(stroke: Desktop.Stroke, character: Unicode.Scalar)] {
        desktop.strike([Desktop.Stroke(Desktop.rightAlt)])
        let hasAltGr = try client.press(modifiers: true).keysym == 0xFE03
        // The order avoids pressing the same key twice in a row.
        var strokes = keys.map { Desktop.Stroke($0) } + keys.map { Desktop.Stroke($0, with: [Desktop.shift]) }
        if hasAltGr { strokes += keys.map { Desktop.Stroke($0, with: [Desktop.rightAlt]) } }
        desktop.strike(strokes)
        return try strokes.compactMap { stroke in
            var press = try client.press()
            while press.isComposed { press = try client.press() }
            return press.isDead ? nil : press.character.map { (stroke, $0) }
        }
    }
}
