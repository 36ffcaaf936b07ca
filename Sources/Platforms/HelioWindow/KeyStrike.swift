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

    /// The USB HID usage (page 7); `nil`, or a value outside 0x04...0xE7, for a key that no keyboard has.
    package var usage: UInt16?
    /// The text that the press produced, possibly by an input method; empty if there is none.
    package var text = ""
    /// The character that the layout alone assigns to the key; `nil` if there is none.
    package var character: Unicode.Scalar?
    package var role = Role.plain

    package init(usage: UInt16? = nil, text: String = "", character: Unicode.Scalar? = nil, role: Role = .plain) {
        self.usage = usage
        self.text = text
        self.character = character
        self.role = role
    }
}
