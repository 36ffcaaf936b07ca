/// Usages of the keyboard page (USB HID Usage Tables, page 7): keys by position, independent of the layout.
public enum USBKeyboard {
    /// The usages allowed on the wire, from A to right GUI; lower ones are error codes, higher ones unassigned.
    public static let usages: ClosedRange<UInt16> = 0x04...0xE7

    /// The usages of A to Z are consecutive; so are those of 1 to 9 and then 0, and those of F1 to F12.
    package static let a: UInt16 = 0x04
    package static let z: UInt16 = 0x1D
    package static let digit1: UInt16 = 0x1E
    package static let digit0: UInt16 = 0x27
    package static let enter: UInt16 = 0x28
    package static let escape: UInt16 = 0x29
    package static let backspace: UInt16 = 0x2A
    package static let tab: UInt16 = 0x2B
    package static let space: UInt16 = 0x2C
    package static let capsLock: UInt16 = 0x39
    package static let f1: UInt16 = 0x3A
    package static let f12: UInt16 = 0x45
    package static let insert: UInt16 = 0x49
    package static let home: UInt16 = 0x4A
    package static let pageUp: UInt16 = 0x4B
    package static let delete: UInt16 = 0x4C
    package static let end: UInt16 = 0x4D
    package static let pageDown: UInt16 = 0x4E
    package static let right: UInt16 = 0x4F
    package static let left: UInt16 = 0x50
    package static let down: UInt16 = 0x51
    package static let up: UInt16 = 0x52
    package static let numLock: UInt16 = 0x53
    package static let leftControl: UInt16 = 0xE0
    package static let leftShift: UInt16 = 0xE1
    package static let leftAlt: UInt16 = 0xE2
    package static let leftGUI: UInt16 = 0xE3
    package static let rightControl: UInt16 = 0xE4
    package static let rightShift: UInt16 = 0xE5
    package static let rightAlt: UInt16 = 0xE6
    package static let rightGUI: UInt16 = 0xE7

    /// True for Caps Lock and Num Lock.
    package static func isLock(_ usage: UInt16) -> Bool { usage == capsLock || usage == numLock }

    /// The modifier bit of a modifier key; `nil` for other keys.
    package static func modifier(of usage: UInt16) -> KeyModifiers? {
        (leftControl...rightGUI).contains(usage) ? KeyModifiers(rawValue: 1 << UInt8(usage - leftControl)) : nil
    }
}
