import CXCB
import Glibc
import HelioCore

/// Finds the key that types a character, or binds the character to a spare key.
///
/// A character in the present layout uses its own key, with the modifiers that it needs. Any other character is bound
/// to a `SpareKey`. A client reads the new keymap only when it handles the `MappingNotify`, maybe much later. So a
/// binding is kept until no spare key is left; then the least recently used binding is replaced. With about 150 spare
/// keys, all clients have handled the key presses of that binding by then.
struct TextKeyboard {
    /// A key, and the modifiers that must be in effect when it is pressed.
    struct Stroke: Equatable {
        var keycode: UInt8
        var isShifted: Bool
        var isLevel3: Bool
        /// True if Caps Lock must be off, as clients would otherwise capitalise the character.
        var isUnlocked = false
    }

    private(set) var keymap: ServerKeymap?
    /// The spare keys; those without keysyms come first.
    private var spare: [SpareKey] = []
    /// A key without keysyms that is never bound, to end auto-repeat without typing; `nil` if there is none.
    private(set) var mute: UInt8?
    private var useCount = 0
    /// The number of keymap changes by this object that the server has not reported yet. Those reports need no new
    /// query of the keymap.
    private var ownChanges = 0
    private var isKnown = false

    /// Handles the server's report of a keymap change; discards the known keymap unless this object made the change.
    mutating func forget() {
        if ownChanges > 0 {
            ownChanges -= 1
        } else {
            isKnown = false
        }
    }

    /// Discards the known keymap, after another program has changed the modifier keys or the whole keymap.
    mutating func forgetAll() { isKnown = false }

    /// The original keysyms of the keys that are bound, by keycode.
    private(set) var changedMeanings: [UInt8: [xcb_keysym_t]] = [:]

    /// Restores the original keysyms of the bound keys.
    mutating func unbindAll(_ x: X11Connection) {
        for key in spare where key.bound != [0, 0] {
            xcb_change_keyboard_mapping(x.raw, 1, key.keycode, UInt8(key.original.count), key.original)
        }
        spare.removeAll()
        changedMeanings = [:]
        isKnown = false
    }

    /// Finds the key that types a character, or binds a spare key to it; `nil` if the character has no keysym or no key
    /// is spare.
    ///
    /// - Parameters:
    ///   - place: the keycode that is preferred if it types the character.
    ///   - state: the present modifiers. A key that types the character with them unchanged is preferred.
    mutating func stroke(
        for scalar: Unicode.Scalar, at place: UInt8? = nil, _ state: KeyboardState, _ x: X11Connection
    ) -> Stroke? {
        learn(x)
        guard let keymap, let keysym = Self.keysym(scalar) else { return nil }
        if let place, keymap.isKeypad(place, typing: scalar) {
            return Stroke(keycode: place, isShifted: false, isLevel3: state.isLevel3)
        }
        let candidates = Self.candidates(state)
        if let place, !spare.contains(where: { $0.keycode == place }),
            let fitting = candidates.first(where: { keymap.types(scalar, place, $0) })
        {
            return Stroke(place, fitting, state)
        }
        if let found = findSpare(keysym, state) { return found }
        if scalar.value < 0x20 || scalar.value == 0x7F {
            return keymap.keycodes.first { keymap.keysyms(of: $0).first == keysym }.map {
                Stroke(keycode: $0, isShifted: state.isShifted, isLevel3: state.isLevel3)
            }
        }
        for candidate in candidates {
            let key = keymap.keycodes.first { keymap.types(scalar, $0, candidate) && !isSpare($0) }
            if let key { return Stroke(key, candidate, state) }
        }
        return bind(keysym, state, x)
    }

    /// Queries the server's keymap if it is not known.
    mutating func learn(_ x: X11Connection) {
        if isKnown { return }
        keymap = ServerKeymap(x)
        guard let keymap else { return }
        isKnown = true
        // Keep the bindings if the server still has them all; a program that loads another layout overwrites them.
        let ours = spare.filter { $0.bound != [0, 0] }
        if !ours.isEmpty, ours.allSatisfy({ Array(keymap.keysyms(of: $0.keycode).prefix(2)) == $0.columns }) { return }
        let keys = keymap.keycodes.compactMap { SpareKey(keycode: $0, keysyms: keymap.keysyms(of: $0)) }
        let empty = keys.filter(\.wasEmpty)
        mute = empty.first?.keycode
        spare = Array(empty.dropFirst()) + keys.filter { !$0.wasEmpty }
        changedMeanings = [:]
    }

    /// Returns the keysym of a character (X11 protocol appendix A): the code point for Latin-1, 0x01000000 plus the
    /// code point for others; `nil` for control characters without a key.
    static func keysym(_ scalar: Unicode.Scalar) -> xcb_keysym_t? {
        switch scalar.value {
        case 0x0A, 0x0D: 0xFF0D
        case 0x09: 0xFF09
        case 0x08: 0xFF08
        case 0x1B: 0xFF1B
        case 0x7F: 0xFFFF
        case 0x20...0x7E, 0xA0...0xFF: scalar.value
        case 0..<0xA0: nil
        default: 0x0100_0000 | scalar.value
        }
    }

    /// Returns the modifier states in which to look for a character: the present one first, and those with Caps Lock
    /// off last.
    private static func candidates(_ state: KeyboardState) -> [KeyboardState] {
        var all = [state]
        for hasCapsLock in state.hasCapsLock ? [true, false] : [false] {
            for (isShifted, isLevel3) in [(false, false), (true, false), (false, true), (true, true)] {
                all.append(
                    KeyboardState(
                        isShifted: isShifted, isLevel3: isLevel3, hasCapsLock: hasCapsLock, group: state.group))
            }
        }
        return all
    }

    private func isSpare(_ keycode: UInt8) -> Bool { spare.contains { $0.keycode == keycode } }

    private mutating func findSpare(_ keysym: xcb_keysym_t, _ state: KeyboardState) -> Stroke? {
        for i in spare.indices {
            if let level = spare[i].bound.firstIndex(of: keysym) { return use(i, level, keysym, state) }
        }
        return nil
    }

    private mutating func bind(_ keysym: xcb_keysym_t, _ state: KeyboardState, _ x: X11Connection) -> Stroke? {
        var oldest: (key: Int, level: Int, use: Int)?
        for i in spare.indices {
            for level in 0...1 where spare[i].lastUse[level] < oldest?.use ?? .max {
                oldest = (i, level, spare[i].lastUse[level])
            }
        }
        guard let oldest else { return nil }
        spare[oldest.key].bound[oldest.level] = keysym
        xcb_change_keyboard_mapping(x.raw, 1, spare[oldest.key].keycode, 2, spare[oldest.key].columns)
        changedMeanings[spare[oldest.key].keycode] = spare[oldest.key].original
        ownChanges += 1
        return use(oldest.key, oldest.level, keysym, state)
    }

    private mutating func use(_ key: Int, _ level: Int, _ keysym: xcb_keysym_t, _ state: KeyboardState) -> Stroke {
        useCount += 1
        spare[key].lastUse[level] = useCount
        let isLetter = Unicode.Scalar(xkb_keysym_to_utf32(keysym))?.hasCase ?? false
        return Stroke(
            keycode: spare[key].keycode, isShifted: level == 1, isLevel3: state.isLevel3,
            isUnlocked: isLetter && state.hasCapsLock)
    }
}

extension TextKeyboard.Stroke {
    /// Makes the stroke of a key that types the character in the state `fitting`.
    fileprivate init(_ keycode: UInt8, _ fitting: KeyboardState, _ present: KeyboardState) {
        self.init(
            keycode: keycode, isShifted: fitting.isShifted, isLevel3: fitting.isLevel3,
            isUnlocked: present.hasCapsLock && !fitting.hasCapsLock)
    }
}
