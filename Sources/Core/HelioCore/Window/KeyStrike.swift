/// A press of a key as the window system tells it, with what it makes on this machine.
package struct KeyStrike: Equatable {
    /// The part that a key has in this machine's layout.
    package enum Role: Equatable {
        case plain
        /// It chooses what other keys make: AltGr, a fifth level, another layout.
        case levelShift
        /// It makes nothing by itself but changes what comes next: a dead key, or one that an input method took.
        case silent
    }

    /// The usage of USB's keyboard page (7); `nil`, or one beyond it, for a key that no keyboard has.
    package var usage: UInt16?
    /// The text that came with the press, by way of an input method where there is one.
    package var text = ""
    /// The character that the layout alone makes of the key; `nil`: none.
    package var character: Unicode.Scalar?
    package var role = Role.plain

    package init(usage: UInt16? = nil, text: String = "", character: Unicode.Scalar? = nil, role: Role = .plain) {
        self.usage = usage
        self.text = text
        self.character = character
        self.role = role
    }
}
