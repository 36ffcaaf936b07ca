/// Decides what a key press is sent as: a key for the host, text, or a command of the window.
///
/// Keys go to the host by their position (USB HID usage), so its layout applies. In text mode, typed text goes as text,
/// so this machine's layout and input method apply: keys of the typing block are then left to the window system's text
/// events unless Ctrl, left Alt or GUI is held, and Shift is sent only around keys that go as keys.
package struct KeyboardRouter {
    package enum Action: Equatable {
        case key(usage: UInt16, modifiers: UInt8, isDown: Bool)
        case command(WindowCommand)
    }

    package var isTextMode: Bool
    /// Keys that are down at the host, in the order of their presses.
    private var held: [UInt16] = []
    /// Keys that are down here, whether they were sent or not.
    private var down: Set<UInt16> = []

    package init(isTextMode: Bool) {
        self.isTextMode = isTextMode
    }

    private static let leftControl: UInt16 = 0xE0
    private static let leftShift: UInt16 = 0xE1
    private static let rightShift: UInt16 = 0xE5
    private static let rightAlt: UInt16 = 0xE6
    private static let modifierKeys: ClosedRange<UInt16> = 0xE0...0xE7

    /// Takes a key's press or release. A repeated press of a key that is down does nothing.
    package mutating func key(_ usage: UInt16, isDown: Bool) -> [Action] {
        guard (0x04...0xE7).contains(usage) else { return [] }
        if !isDown {
            down.remove(usage)
            return release(usage)
        }
        guard down.insert(usage).inserted else { return [] }
        if hasChord, let command = WindowCommand.allCases.first(where: { $0.usage == usage }) {
            return releaseAll() + [.command(command)]
        }
        if isTextMode {
            if Self.isDeferred(usage) || Self.typesText(usage) && !hasShortcut { return [] }
            if !Self.modifierKeys.contains(usage) { return pressShifts() + press(usage) }
        }
        return press(usage)
    }

    /// Releases all keys that are down at the host.
    package mutating func releaseAll() -> [Action] {
        var actions: [Action] = []
        for usage in held.reversed() { actions += release(usage) }
        return actions
    }

    /// Takes the loss of the keyboard's focus: releases meanwhile go unseen, so all keys are released.
    package mutating func loseFocus() -> [Action] {
        down.removeAll()
        return releaseAll()
    }

    /// True where text events are to be sent: the text that Ctrl or Alt make of a key is not.
    package var acceptsText: Bool { isTextMode && !hasShortcut }

    private var hasChord: Bool { isDown(0xE0, 0xE4) && isDown(0xE1, 0xE5) && isDown(0xE2, 0xE6) }
    private var hasShortcut: Bool { isDown(0xE0, 0xE4) || down.contains(0xE2) || isDown(0xE3, 0xE7) }

    private func isDown(_ a: UInt16, _ b: UInt16) -> Bool { down.contains(a) || down.contains(b) }

    private mutating func press(_ usage: UInt16) -> [Action] {
        held.append(usage)
        return [.key(usage: usage, modifiers: modifiers, isDown: true)]
    }

    private mutating func pressShifts() -> [Action] {
        [Self.leftShift, Self.rightShift].filter { down.contains($0) && !held.contains($0) }.flatMap { press($0) }
    }

    private mutating func release(_ usage: UInt16) -> [Action] {
        guard let index = held.firstIndex(of: usage) else { return [] }
        held.remove(at: index)
        return [.key(usage: usage, modifiers: modifiers, isDown: false)]
    }

    /// The modifiers that are down at the host after the last change.
    private var modifiers: UInt8 {
        held.reduce(0) { $0 | (Self.modifierKeys.contains($1) ? 1 << UInt8($1 - Self.leftControl) : 0) }
    }

    /// True for modifiers that text mode turns into other characters.
    private static func isDeferred(_ usage: UInt16) -> Bool {
        usage == leftShift || usage == rightShift || usage == rightAlt
    }

    /// True for letters, digits, space, punctuation, and the extra keys of other layouts.
    package static func typesText(_ usage: UInt16) -> Bool {
        switch usage {
        case 0x04...0x27, 0x2C...0x38, 0x64, 0x87...0x8F: true
        default: false
        }
    }
}
