/// The key codes of Android by USB HID usage (HID Usage Tables page 7). Source: AOSP, platform/frameworks/base,
/// core/java/android/view/KeyEvent.java.
package enum AndroidKeys {
    package static let back: UInt16 = 4
    package static let home: UInt16 = 3
    package static let recentApps: UInt16 = 187
    package static let paste: UInt16 = 279
    package static let wake: UInt16 = 224

    /// The key code of a key; `nil` for a usage that Android has no key for.
    package static func code(usage: UInt16) -> UInt16? {
        let code: UInt16 =
            switch usage {
            case 0x04...0x1D: 29 + usage - 0x04  // A-Z
            case 0x1E...0x26: 8 + usage - 0x1E  // 1-9
            case 0x27: 7  // 0
            case 0x28...0x38: main[Int(usage) - 0x28]
            case 0x39: 115  // Caps Lock
            case 0x3A...0x45: 131 + usage - 0x3A  // F1-F12
            case 0x46...0x58: navigation[Int(usage) - 0x46]
            case 0x59...0x61: 145 + usage - 0x59  // keypad 1-9
            case 0x62: 144  // keypad 0
            case 0x63: 158  // keypad .
            case 0x64: 73  // the key beside the left Shift
            case 0x65: 82  // menu
            case 0x66: 26  // power
            case 0x67: 161  // keypad =
            case 0x7B: 277  // cut
            case 0x7C: 278  // copy
            case 0x7D: 279  // paste
            case 0x7F: 164  // mute
            case 0x80: 24  // volume up
            case 0x81: 25  // volume down
            case 0xE0...0xE7: modifiers[Int(usage) - 0xE0].code
            default: 0
            }
        return code == 0 ? nil : code
    }

    /// The bits of `KeyEvent.META_...` that a held key sets; 0 for a key that is no modifier.
    package static func modifiers(usage: UInt16) -> UInt32 {
        (0xE0...0xE7).contains(usage) ? modifiers[Int(usage) - 0xE0].bits : 0
    }

    /// Enter, Escape, Backspace, Tab, Space, - = [ ] \ # ; ' ` , . /
    private static let main: [UInt16] = [
        66, 111, 67, 61, 62, 69, 70, 71, 72, 73, 73, 74, 75, 68, 55, 56, 76,
    ]
    /// Print, Scroll Lock, Pause, Insert, Home, Page Up, Delete, End, Page Down, Right, Left, Down, Up, Num Lock,
    /// keypad / * - + Enter.
    private static let navigation: [UInt16] = [
        120, 116, 121, 124, 122, 92, 112, 123, 93, 22, 21, 20, 19, 143, 154, 155, 156, 157, 160,
    ]
    /// Ctrl, Shift, Alt and Meta, left and right.
    private static let modifiers: [(code: UInt16, bits: UInt32)] = [
        (113, 0x3000), (59, 0x41), (57, 0x12), (117, 0x30000), (114, 0x5000), (60, 0x81), (58, 0x22), (118, 0x50000),
    ]
}
