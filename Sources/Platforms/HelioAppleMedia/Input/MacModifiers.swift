/// The modifier keys that are down, as the flags of macOS's events (`CGEventFlags`).
///
/// The flags are those of both sides and, in the low bits, of each key (IOKit's IOLLEvent.h, NX_DEVICE...).
package struct MacModifiers: Sendable, Hashable {
    /// The HID usages 0xE0...0xE7, one bit each.
    private var down: UInt8 = 0
    /// Caps Lock is a state, not a key that is held.
    package private(set) var capsLock = false

    package init() {}

    /// The flag of both sides for control, shift, option, command.
    private static let flags: [UInt64] = [0x4_0000, 0x2_0000, 0x8_0000, 0x10_0000]
    /// The flag of each key: left control, shift, option, command; then the right ones.
    private static let keyFlags: [UInt64] = [0x01, 0x02, 0x20, 0x08, 0x2000, 0x04, 0x40, 0x10]
    private static let capsLockFlag: UInt64 = 0x1_0000
    package static let keypadFlag: UInt64 = 0x20_0000
    package static let functionFlag: UInt64 = 0x80_0000

    /// The present flags.
    package var flags: UInt64 {
        var all: UInt64 = capsLock ? Self.capsLockFlag : 0
        for bit in 0..<8 where down >> UInt8(bit) & 1 == 1 { all |= Self.flags[bit % 4] | Self.keyFlags[bit] }
        return all
    }

    /// Updates the state by a key. Returns true for a modifier, whose event reports flags and not a key.
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

    /// The flags that macOS adds for a key itself: the keypad flag for the arrows and the keypad; the function flag for
    /// the arrows, the F keys and the keys above the arrows.
    package static func ownFlags(usage: UInt16) -> UInt64 {
        switch usage {
        case 0x4F...0x52: keypadFlag | functionFlag
        case 0x53...0x63, 0x67, 0x85: keypadFlag
        case 0x3A...0x48, 0x49...0x4E, 0x68...0x6F: functionFlag
        default: 0
        }
    }
}
