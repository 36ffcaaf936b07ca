/// A press of a key as reported by the window system, with the text that it produces on this machine.
package struct KeyStrike: Equatable {
    /// The role of a key in this machine's layout.
    package enum Role: Equatable {
        case plain
        /// Selects the level or layout of other keys: AltGr, a fifth level, another layout.
        case levelShift
        /// Produces no text itself but affects later text: a dead key, or a key that an input method consumed.
        case silent
    }

    /// The usage on USB's keyboard page (7); `nil`, or one outside the page, for a key that no keyboard has.
    package var usage: UInt16?
    /// The text that the press produced, possibly by an input method; empty if none.
    package var text = ""
    /// The character that the layout alone assigns to the key; `nil` if none.
    package var character: Unicode.Scalar?
    package var role = Role.plain

    package init(usage: UInt16? = nil, text: String = "", character: Unicode.Scalar? = nil, role: Role = .plain) {
        self.usage = usage
        self.text = text
        self.character = character
        self.role = role
    }
}
