import CXCB
import Glibc

/// The X server's keymap: its keys' characters, and the modifier keys.
///
/// The map is read by the core protocol. XKB lists a key's keysyms in the core protocol's columns in this order: group
/// 1 plain and shifted, group 2 plain and shifted, then group 1's third and fourth level (The X Keyboard Extension:
/// Library Specification, "Core Keyboard Mapping to Xkb").
struct ServerKeymap {
    let lowest: UInt8
    /// The keys' keysyms, from key `lowest` on, `perKey` for each.
    private let keysyms: [xcb_keysym_t]
    private let perKey: Int
    /// The character of each keysym; 0 for a keysym without a character.
    private let scalars: [UInt32]
    /// The keys of each of the eight modifiers: Shift, Lock, Control, Mod1 to Mod5.
    private let modifierKeys: [[UInt8]]

    /// Queries the server; `nil` if it does not answer.
    init?(_ x: X11Connection) {
        guard let setup = xcb_get_setup(x.raw) else { return nil }
        lowest = setup.pointee.min_keycode
        let count = Int(setup.pointee.max_keycode) - Int(lowest) + 1
        let (raw, first) = (x.raw, lowest)
        let mapping = xcb_get_keyboard_mapping(raw, first, UInt8(count))
        let modifiers = xcb_get_modifier_mapping(raw)
        let keys = try? x.reply { xcb_get_keyboard_mapping_reply(raw, mapping, $0) }
        let rows = try? x.reply { xcb_get_modifier_mapping_reply(raw, modifiers, $0) }
        defer {
            free(keys)
            free(rows)
        }
        guard let keys, let rows, keys.pointee.keysyms_per_keycode > 1,
            let symbols = xcb_get_keyboard_mapping_keysyms(keys), let codes = xcb_get_modifier_mapping_keycodes(rows)
        else { return nil }
        perKey = Int(keys.pointee.keysyms_per_keycode)
        keysyms = Array(UnsafeBufferPointer(start: symbols, count: count * perKey))
        scalars = keysyms.map(Self.scalar)
        let width = Int(rows.pointee.keycodes_per_modifier)
        modifierKeys = (0..<8).map { row in (0..<width).map { codes[row * width + $0] }.filter { $0 >= first } }
    }

    /// Returns the character that a keysym types; 0 if it types none, or is a dead key or one of the keypad.
    private static func scalar(_ keysym: xcb_keysym_t) -> UInt32 {
        (0xFD00...0xFFFF).contains(keysym) ? 0 : xkb_keysym_to_utf32(keysym)
    }

    var keycodes: ClosedRange<UInt8> { lowest...UInt8(Int(lowest) + keysyms.count / perKey - 1) }

    func keysyms(of keycode: UInt8) -> ArraySlice<xcb_keysym_t> {
        let at = (Int(keycode) - Int(lowest)) * perKey
        return keysyms[at..<at + perKey]
    }

    /// The keycodes of the Shift keys; `level3Keys` are those that select the third level.
    var shiftKeys: [UInt8] { modifierKeys[0] }
    var level3Keys: [UInt8] { modifierKeys.joined().filter { keysyms(of: $0).first == Self.level3Shift } }

    /// Returns the mask bit of the core protocol's modifier (one of eight) that has a key with this keysym; 0 if none
    /// has.
    func mask(of keysym: xcb_keysym_t) -> UInt8 {
        for (row, keys) in modifierKeys.enumerated() where keys.contains(where: { keysyms(of: $0).contains(keysym) }) {
            return 1 << UInt8(row)
        }
        return 0
    }

    static let level3Shift: xcb_keysym_t = 0xFE03
    static let numLock: xcb_keysym_t = 0xFF7F

    /// Returns whether a key types a character in a state; false if that is uncertain. Caps Lock inverts Shift if the
    /// shifted character is the plain one's capital (XKB's type ALPHABETIC). Its effect on other letters depends on the
    /// key's type, or on each client, and so is uncertain.
    func types(_ scalar: Unicode.Scalar, _ keycode: UInt8, _ state: KeyboardState) -> Bool {
        guard keycodes.contains(keycode), let level = levels(of: keycode, state), scalars[level.plain] != 0 else {
            return false
        }
        let (plain, shifted) = (level.plain, keysyms[level.shifted] == 0 ? level.plain : level.shifted)
        var isShifted = state.isShifted
        if state.hasCapsLock, hasCase(plain) || hasCase(shifted) {
            guard isPair(plain), !state.isLevel3 else { return false }
            isShifted.toggle()
        }
        return scalars[isShifted ? shifted : plain] == scalar.value
    }

    /// Returns whether a key is on the keypad and types this character while Num Lock is on and Shift is up.
    func isKeypad(_ keycode: UInt8, typing scalar: Unicode.Scalar) -> Bool {
        guard keycodes.contains(keycode) else { return false }
        return keysyms(of: keycode).prefix(2).contains {
            (0xFFAA...0xFFBD).contains($0) && xkb_keysym_to_utf32($0) == scalar.value
        }
    }

    /// Returns the indices, into `keysyms`, of a key's plain and shifted keysym in the state's layout and level; `nil`
    /// if the key has none or they are ambiguous.
    private func levels(of keycode: UInt8, _ state: KeyboardState) -> (plain: Int, shifted: Int)? {
        let at = (Int(keycode) - Int(lowest)) * perKey
        let plain = at + 2 * state.group
        // The core protocol has two layouts.
        guard state.group < 2, plain + 1 < at + perKey else { return nil }
        guard state.isLevel3 else { return (plain, plain + 1) }
        // The columns after the fourth may belong to either layout if there are two.
        guard state.group == 0, perKey > 5, keysyms[at + 2] == keysyms[at] || keysyms[at + 2] == 0,
            keysyms[at + 3] == keysyms[at + 1] || keysyms[at + 3] == 0
        else { return nil }
        return (at + 4, at + 5)
    }

    private func hasCase(_ index: Int) -> Bool { Unicode.Scalar(scalars[index])?.hasCase ?? false }

    /// True if the character at `index + 1` is the capital of the character at `index`.
    private func isPair(_ index: Int) -> Bool {
        guard let plain = Unicode.Scalar(scalars[index]), let shifted = Unicode.Scalar(scalars[index + 1]) else {
            return false
        }
        return plain != shifted && plain.properties.uppercaseMapping == String(shifted)
    }
}

extension Unicode.Scalar {
    /// True for a letter that has an upper- or lower-case counterpart: Caps Lock may change it.
    var hasCase: Bool { properties.changesWhenUppercased || properties.changesWhenLowercased }
}
