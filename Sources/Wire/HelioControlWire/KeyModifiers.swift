/// The modifiers that are down at the viewer: the first byte of a USB keyboard's boot report (HID 1.11, appendix B.1).
/// The modifier keys also have separate key events.
package struct KeyModifiers: OptionSet, Hashable, Sendable {
    package var rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let leftControl = KeyModifiers(rawValue: 1 << 0)
    package static let leftShift = KeyModifiers(rawValue: 1 << 1)
    package static let leftAlt = KeyModifiers(rawValue: 1 << 2)
    /// Command, Windows, Super.
    package static let leftGUI = KeyModifiers(rawValue: 1 << 3)
    package static let rightControl = KeyModifiers(rawValue: 1 << 4)
    package static let rightShift = KeyModifiers(rawValue: 1 << 5)
    package static let rightAlt = KeyModifiers(rawValue: 1 << 6)
    package static let rightGUI = KeyModifiers(rawValue: 1 << 7)
}
