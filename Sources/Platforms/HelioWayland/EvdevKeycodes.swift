/// The keycodes of Linux keyboards by USB HID usage (HID Usage Tables page 7; linux/input-event-codes.h).
///
/// X servers with evdev rules, which all current ones use, add 8 to these numbers.
package enum EvdevKeycodes {
    /// The X keycode of a key; `nil` for a usage that no Linux keyboard has.
    package static func keycode(usage: UInt16) -> UInt8? {
        let code: UInt8 =
            switch usage {
            case 0x04...0x64: main[Int(usage) - 0x04]
            case 0x65...0x81: upper[Int(usage) - 0x65]
            case 0x85...0x94: international[Int(usage) - 0x85]
            case 0xE0...0xE7: modifiers[Int(usage) - 0xE0]
            default: 0
            }
        return code == 0 ? nil : code + 8
    }

    /// The evdev codes of the usages 0x04 (A) to 0x64 (the key beside the left Shift).
    private static let main: [UInt8] = [
        30, 48, 46, 32, 18, 33, 34, 35, 23, 36, 37, 38, 50, 49, 24, 25, 16, 19, 31, 20, 22, 47, 17, 45, 21, 44,  // A-Z
        2, 3, 4, 5, 6, 7, 8, 9, 10, 11,  // 1-9, 0
        28, 1, 14, 15, 57,  // Enter, Escape, Backspace, Tab, Space
        12, 13, 26, 27, 43, 43, 39, 40, 41, 51, 52, 53,  // - = [ ] \ # ; ' ` , . /
        58,  // Caps Lock
        59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 87, 88,  // F1-F12
        99, 70, 119, 110, 102, 104, 111, 107, 109,  // Print, Scroll Lock, Pause, Insert ... Page Down
        106, 105, 108, 103,  // Right, Left, Down, Up
        69, 98, 55, 74, 78, 96,  // Num Lock, keypad / * - + Enter
        79, 80, 81, 75, 76, 77, 71, 72, 73, 82, 83,  // keypad 1-9, 0, .
        86,
    ]
    /// The evdev codes of the usages 0x65 (application) to 0x81 (volume down); 0 if there is none.
    private static let upper: [UInt8] = [
        127, 116, 117,  // menu, power, keypad =
        183, 184, 185, 186, 187, 188, 189, 190, 191, 192, 193, 194,  // F13-F24
        134, 138, 130, 132, 128, 129, 131, 137, 133, 135, 136,  // execute ... find
        113, 115, 114,  // mute, volume
    ]
    /// The evdev codes of the usages 0x85 (keypad comma) to 0x94 (language 5); 0 if there is none.
    private static let international: [UInt8] = [121, 0, 89, 93, 124, 92, 94, 95, 0, 0, 0, 122, 123, 90, 91, 85]
    private static let modifiers: [UInt8] = [29, 42, 56, 125, 97, 54, 100, 126]
}
