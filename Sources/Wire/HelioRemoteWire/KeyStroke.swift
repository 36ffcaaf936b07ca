/// A key by its position on the keyboard. Its description does not reveal the key.
///
/// The wire format is macOS's virtual key code, or `usage` if macOS has none for the key; if both are present, `usage`
/// takes precedence.
public struct KeyStroke: Hashable, Sendable {
    /// The USB HID usage on the keyboard page (`USBKeyboard`).
    public var usage: UInt16
    /// The modifiers that have to be down with the key.
    public var modifiers: RemoteModifiers
    /// The character that the key produces at the viewer, and that the host should produce; `nil` if the host's layout
    /// decides. A release needs no character.
    public var character: Unicode.Scalar?

    /// Makes a key by its usage, within `USBKeyboard.usages`.
    public init(usage: UInt16, modifiers: RemoteModifiers = [], character: Unicode.Scalar? = nil) {
        self.usage = usage
        self.modifiers = modifiers
        self.character = character
    }

    /// Makes a key from a macOS key code; `nil` if the code has no key on the USB keyboard page.
    public init?(keyCode: UInt16, modifiers: RemoteModifiers = []) {
        guard let usage = MacKeyCode.usage(of: keyCode) else { return nil }
        self.init(usage: usage, modifiers: modifiers)
    }

    /// The virtual key code of macOS; `nil` if the key has none.
    public var keyCode: UInt16? { MacKeyCode.keyCode(of: usage) }
}

extension KeyStroke: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A word that reveals nothing of the key.
    public var description: String { "key" }
    /// The same word.
    public var debugDescription: String { description }
    /// A mirror without fields.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
