import HelioControlWire

/// The virtual key codes of macOS (`kVK_...` in HIToolbox/Events.h), which identify keys by their position on an ANSI
/// keyboard, mapped one to one to usages of the USB keyboard page.
///
/// Apple's Help key and the Insert key of other keyboards are the same key. F21 and above, Print Screen and a few
/// others have no code. Testing/Vectors/keyboard.json is the same table with the browsers' names.
package enum MacKeyCode {
    /// The largest key code: codes have 7 bits.
    package static let largest: UInt16 = 0x7F

    /// The usage of a key code; `nil` for a code without a key on the keyboard page, such as Fn.
    package static func usage(of keyCode: UInt16) -> UInt16? {
        keyCode <= largest ? usages[Int(keyCode)] : nil
    }

    /// The key code of a usage; `nil` if macOS has none for the key.
    package static func keyCode(of usage: UInt16) -> UInt16? {
        usage < keyCodes.count ? keyCodes[Int(usage)] : nil
    }

    private static let usages: [UInt16?] = {
        var usages = [UInt16?](repeating: nil, count: Int(largest) + 1)
        for (usage, keyCode) in keys { usages[Int(keyCode)] = usage }
        return usages
    }()

    private static let keyCodes: [UInt16?] = {
        var keyCodes = [UInt16?](repeating: nil, count: Int(USBKeyboard.usages.upperBound) + 1)
        for (usage, keyCode) in keys { keyCodes[Int(usage)] = keyCode }
        return keyCodes
    }()

    private static let keys: [(usage: UInt16, keyCode: UInt16)] =
        [letters, digits, typing, functions, editing, keypad, elsewhere, modifiers].flatMap { $0 }

    /// A ... Z.
    private static let letters: [(UInt16, UInt16)] = row(
        from: 0x04,
        [
            0x00, 0x0B, 0x08, 0x02, 0x0E, 0x03, 0x05, 0x04, 0x22, 0x26, 0x28, 0x25, 0x2E, 0x2D, 0x1F, 0x23, 0x0C, 0x0F,
            0x01, 0x11, 0x20, 0x09, 0x0D, 0x07, 0x10, 0x06,
        ])
    /// 1 ... 9, 0.
    private static let digits = row(from: 0x1E, [0x12, 0x13, 0x14, 0x15, 0x17, 0x16, 0x1A, 0x1C, 0x19, 0x1D])
    /// Return, Escape, Backspace, Tab, Space, - = [ ] \; then ; ' ` , . / and Caps Lock.
    private static let typing =
        row(from: 0x28, [0x24, 0x35, 0x33, 0x30, 0x31, 0x1B, 0x18, 0x21, 0x1E, 0x2A])
        + row(from: 0x33, [0x29, 0x27, 0x32, 0x2B, 0x2F, 0x2C, 0x39])
    /// F1 ... F12; F13 ... F20.
    private static let functions =
        row(from: 0x3A, [0x7A, 0x78, 0x63, 0x76, 0x60, 0x61, 0x62, 0x64, 0x65, 0x6D, 0x67, 0x6F])
        + row(from: 0x68, [0x69, 0x6B, 0x71, 0x6A, 0x40, 0x4F, 0x50, 0x5A])
    /// Insert (Help), Home, Page Up, Delete, End, Page Down, and the arrows: right, left, down, up.
    private static let editing = row(from: 0x49, [0x72, 0x73, 0x74, 0x75, 0x77, 0x79, 0x7C, 0x7B, 0x7D, 0x7E])
    /// Num Lock (Clear), / * - + Enter, 1 ... 9, 0, the point; then = and the comma of JIS keyboards.
    private static let keypad =
        row(
            from: 0x53,
            [
                0x47, 0x4B, 0x43, 0x4E, 0x45, 0x4C, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58, 0x59, 0x5B, 0x5C, 0x52, 0x41,
            ])
        + [(0x67, 0x51), (0x85, 0x5F)]
    /// The key next to the left Shift of ISO keyboards, Menu; JIS _ and yen, kana and eisu; mute, volume up, volume
    /// down.
    private static let elsewhere: [(UInt16, UInt16)] = [
        (0x64, 0x0A), (0x65, 0x6E), (0x87, 0x5E), (0x89, 0x5D), (0x90, 0x68), (0x91, 0x66), (0x7F, 0x4A), (0x80, 0x48),
        (0x81, 0x49),
    ]
    /// Control, Shift, Option, Command on the left, then on the right.
    private static let modifiers = row(from: 0xE0, [0x3B, 0x38, 0x3A, 0x37, 0x3E, 0x3C, 0x3D, 0x36])

    /// Makes a row of keys with consecutive usages.
    private static func row(from usage: UInt16, _ keyCodes: [UInt16]) -> [(UInt16, UInt16)] {
        keyCodes.enumerated().map { (usage + UInt16($0.offset), $0.element) }
    }
}
