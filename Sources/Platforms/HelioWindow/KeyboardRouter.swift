package import HelioCore

/// Translates a key press into the action for it: a character, a key or text for the host, or a command of the window.
///
/// In character mode, a key that produces a character on this machine is sent as that character, held as long as the
/// key; AltGr, which selects a character, is not sent. Other keys are sent by position (USB HID usage): those without a
/// character, and all keys while Ctrl, GUI or an Alt that is not AltGr is held. In place mode, all keys are sent by
/// position, and the host's layout applies. In both modes, the text of a key that no keyboard has is sent as text;
/// programs that simulate typing use such keys.
///
/// In text mode, keys of the typing block are left to the window system's text events unless a shortcut's modifier is
/// held, and Shift is sent only together with keys that are sent as keys.
package struct KeyboardRouter {
    package enum Action: Equatable {
        case key(usage: UInt16, modifiers: UInt8, isDown: Bool)
        /// A key press, sent as a character; a later `.key` with the same usage releases it.
        case character(Unicode.Scalar, usage: UInt16)
        case text(String)
        case command(WindowCommand)
    }

    package var mode: KeyMode
    /// The keys that are down at the host, in the order of their presses.
    private var held: [UInt16] = []
    /// The keys that are down on this machine, whether they were sent or not.
    private var down: Set<UInt16> = []
    /// The keys that are down on this machine and select the level of other keys, such as AltGr.
    private var levelShifts: Set<UInt16> = []

    package init(mode: KeyMode) {
        self.mode = mode
    }

    private static let leftControl: UInt16 = 0xE0
    private static let leftShift: UInt16 = 0xE1
    private static let rightShift: UInt16 = 0xE5
    private static let rightAlt: UInt16 = 0xE6
    private static let modifierKeys: ClosedRange<UInt16> = 0xE0...0xE7
    private static let usages: ClosedRange<UInt16> = 0x04...0xE7

    /// Handles a key press with its text. Ignores auto-repeat of a key that is down at the host, as the host has its
    /// own.
    package mutating func press(_ strike: KeyStrike) -> [Action] {
        guard let usage = strike.usage, Self.usages.contains(usage) else { return text(strike) }
        if mode != .character { return Self.isLent(usage, strike) ? text(strike) : key(usage, isDown: true) }
        guard down.insert(usage).inserted else { return held.contains(usage) ? [] : text(strike) }
        if let command = command(usage) { return releaseAll() + [.command(command)] }
        if strike.role == .levelShift {
            levelShifts.insert(usage)
            return []
        }
        if Self.modifierKeys.contains(usage) { return press(usage) }
        if hasShortcut || Self.keypadKeys.contains(usage) { return pressLevelShifts() + press(usage) }
        let scalars = strike.text.unicodeScalars
        if let scalar = scalars.count == 1 ? scalars.first : scalars.isEmpty ? strike.character : nil {
            held.append(usage)
            return [.character(scalar, usage: usage)]
        }
        if !strike.text.isEmpty { return [.text(strike.text)] }
        // A dead key produces nothing by itself.
        return strike.role == .silent && Self.typesText(usage) ? [] : pressLevelShifts() + press(usage)
    }

    /// Handles a key's press or release by position. Ignores auto-repeat of a key that is down.
    package mutating func key(_ usage: UInt16, isDown: Bool) -> [Action] {
        guard Self.usages.contains(usage) else { return [] }
        if !isDown {
            down.remove(usage)
            levelShifts.remove(usage)
            return release(usage)
        }
        guard down.insert(usage).inserted else { return [] }
        if let command = command(usage) { return releaseAll() + [.command(command)] }
        if mode == .text {
            if Self.isDeferred(usage) || Self.typesText(usage) && !hasShortcut { return [] }
            if !Self.modifierKeys.contains(usage) { return pressShifts() + press(usage) }
        }
        return press(usage)
    }

    /// Returns the text of a press without a real key: from an input method, or from a program that simulates typing.
    private func text(_ strike: KeyStrike) -> [Action] {
        if hasShortcut { return [] }
        if !strike.text.isEmpty { return [.text(strike.text)] }
        // In character mode, a press without text was consumed by an input method.
        guard mode == .place, let character = strike.character else { return [] }
        return [.text(String(character))]
    }

    /// Releases all keys that are down at the host.
    package mutating func releaseAll() -> [Action] {
        var actions: [Action] = []
        for usage in held.reversed() { actions += release(usage) }
        return actions
    }

    /// Handles the loss of keyboard focus: releases all keys, as later releases will not be reported.
    package mutating func loseFocus() -> [Action] {
        down.removeAll()
        levelShifts.removeAll()
        return releaseAll()
    }

    /// True if text events are to be sent: in text mode, unless Ctrl, GUI or an Alt that is not AltGr is held.
    package var acceptsText: Bool { mode == .text && !hasShortcut }

    private func command(_ usage: UInt16) -> WindowCommand? {
        hasChord ? WindowCommand.allCases.first { $0.usage == usage } : nil
    }

    private var hasChord: Bool { isDown(0xE0, 0xE4) && isDown(0xE1, 0xE5) && isDown(0xE2, 0xE6) }
    private var hasShortcut: Bool {
        isDown(0xE0, 0xE4) || isDown(0xE3, 0xE7) || isShortcut(0xE2)
            // In text mode the right Alt is treated as AltGr.
            || mode != .text && isShortcut(Self.rightAlt)
    }

    private func isShortcut(_ usage: UInt16) -> Bool { down.contains(usage) && !levelShifts.contains(usage) }

    private func isDown(_ a: UInt16, _ b: UInt16) -> Bool { down.contains(a) || down.contains(b) }

    private mutating func press(_ usage: UInt16) -> [Action] {
        held.append(usage)
        return [.key(usage: usage, modifiers: modifiers, isDown: true)]
    }

    private mutating func pressShifts() -> [Action] {
        [Self.leftShift, Self.rightShift].filter { down.contains($0) && !held.contains($0) }.flatMap { press($0) }
    }

    private mutating func pressLevelShifts() -> [Action] {
        levelShifts.sorted().filter { !held.contains($0) }.flatMap { press($0) }
    }

    private mutating func release(_ usage: UInt16) -> [Action] {
        guard let index = held.firstIndex(of: usage) else { return [] }
        held.remove(at: index)
        return [.key(usage: usage, modifiers: modifiers, isDown: false)]
    }

    /// The modifiers that are down at the host, as a bit mask of the usages from 0xE0 on.
    private var modifiers: UInt8 {
        held.reduce(0) { $0 | (Self.modifierKeys.contains($1) ? 1 << UInt8($1 - Self.leftControl) : 0) }
    }

    /// Returns true for modifiers that text mode does not send by themselves, as their effect is in the text: Shift and
    /// the right Alt.
    private static func isDeferred(_ usage: UInt16) -> Bool {
        usage == leftShift || usage == rightShift || usage == rightAlt
    }

    /// The keypad's operators, Enter and digits, which are the same in all layouts while Num Lock is on. The decimal
    /// point (0x63) depends on the layout.
    private static let keypadKeys: ClosedRange<UInt16> = 0x54...0x62

    /// Returns true for a key that produces a character though it is neither in the typing block nor on the keypad: a
    /// program has bound the character to the key, to simulate typing.
    private static func isLent(_ usage: UInt16, _ strike: KeyStrike) -> Bool {
        let isTyping = typesText(usage) || keypadKeys.contains(usage) || usage == 0x63 || usage == 0x67 || usage == 0x85
        return strike.character != nil && !isTyping
    }

    /// Returns true for letters, digits, space, punctuation, and the extra keys of other layouts.
    package static func typesText(_ usage: UInt16) -> Bool {
        switch usage {
        case 0x04...0x27, 0x2C...0x38, 0x64, 0x87...0x8F: true
        default: false
        }
    }
}
