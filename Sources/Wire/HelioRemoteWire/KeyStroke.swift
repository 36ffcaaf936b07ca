/// A key by its place on the keyboard. No description shows which one.
///
/// On the wire it has macOS's virtual key code, or, if macOS has none for it, `usage`; if both are there, `usage`
/// counts.
package struct KeyStroke: Hashable, Sendable {
    /// The usage on the keyboard page (``USBKeyboard``).
    package var usage: UInt16
    package var modifiers: RemoteModifiers
    /// The character that the key makes at the viewer, which is to arrive; `nil`: the host's layout says what it makes.
    /// A release needs none.
    package var character: Unicode.Scalar?

    package init(usage: UInt16, modifiers: RemoteModifiers = [], character: Unicode.Scalar? = nil) {
        self.usage = usage
        self.modifiers = modifiers
        self.character = character
    }

    /// Takes a key code; `nil` for one that stands for no key.
    package init?(keyCode: UInt16, modifiers: RemoteModifiers = []) {
        guard let usage = MacKeyCode.usage(of: keyCode) else { return nil }
        self.init(usage: usage, modifiers: modifiers)
    }

    /// The virtual key code of macOS; `nil` if it has none.
    package var keyCode: UInt16? { MacKeyCode.keyCode(of: usage) }
}

extension KeyStroke: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "key" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
