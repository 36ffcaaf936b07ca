/// The state of the modifier keys, as the flags of macOS's events (`CGEventFlags`).
///
/// Each modifier has a flag and, in the low bits, one for each of its left and right keys (IOKit's IOLLEvent.h,
/// NX_DEVICE...).
package struct MacModifiers: Sendable, Hashable {
    /// The modifier keys that are down: one bit for each of the HID usages 0xE0...0xE7.
    private var down: UInt8 = 0
    /// True while Caps Lock is on: a state, not a held key.
    package private(set) var capsLock = false

    package init() {}

    /// The flags of the modifiers control, shift, option, command, whatever the side.
    private static let flags: [UInt64] = [0x4_0000, 0x2_0000, 0x8_0000, 0x10_0000]
    /// The flags of the keys left control, shift, option, command; then of the same on the right.
    private static let keyFlags: [UInt64] = [0x01, 0x02, 0x20, 0x08, 0x2000, 0x04, 0x40, 0x10]
    private static let capsLockFlag: UInt64 = 0x1_0000
    package static let keypadFlag: UInt64 = 0x20_0000
    package static let functionFlag: UInt64 = 0x80_0000

    /// The flags of all modifiers that are in effect now, for an event.
    package var flags: UInt64 {
        var all: UInt64 = capsLock ? Self.capsLockFlag : 0
        for bit in 0..<8 where down >> UInt8(bit) & 1 == 1 { all |= Self.flags[bit % 4] | Self.keyFlags[bit] }
        return all
    }

    /// Updates the state with a key event. Returns true for a modifier, whose event in macOS reports flags instead of a
    /// key.
    package mutating func follow(usage: UInt16, isDown: Bool) -> Bool {
        if usage == 0x39 {
            if isDown { capsLock.toggle() }
            return true
        }
        guard (0xE0...0xE7).contains(usage) else { return false }
        let bit = UInt8(1) << UInt8(usage - 0xE0)
        if isDown { down |= bit } else { down &= ~bit }
        return true
    }

    /// Returns the flags that macOS adds for a key itself: the keypad flag for arrow and keypad keys; the function flag
    /// for arrow keys, F keys and the keys above the arrows.
    package static func ownFlags(usage: UInt16) -> UInt64 {
        switch usage {
        case 0x4F...0x52: keypadFlag | functionFlag
        case 0x53...0x63, 0x67, 0x85: keypadFlag
        case 0x3A...0x48, 0x49...0x4E, 0x68...0x6F: functionFlag
        default: 0
        }
    }
}
