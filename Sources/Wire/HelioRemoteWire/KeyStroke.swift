/// A key by its place on the keyboard. Which one appears in no description.
///
/// On the wire macOS's virtual key code, or, where macOS has none for it, `usage`; where both are there, `usage` counts.
package struct KeyStroke: Hashable, Sendable {
    /// Of the keyboard page (``USBKeyboard``).
    package var usage: UInt16
    package var modifiers: RemoteModifiers

    package init(usage: UInt16, modifiers: RemoteModifiers = []) {
        self.usage = usage
        self.modifiers = modifiers
    }

    /// `nil` for a code that stands for no key.
    package init?(keyCode: UInt16, modifiers: RemoteModifiers = []) {
        guard let usage = MacKeyCode.usage(of: keyCode) else { return nil }
        self.init(usage: usage, modifiers: modifiers)
    }

    /// macOS's virtual key code; `nil` where it has none.
    package var keyCode: UInt16? { MacKeyCode.keyCode(of: usage) }
}

extension KeyStroke: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "key" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
