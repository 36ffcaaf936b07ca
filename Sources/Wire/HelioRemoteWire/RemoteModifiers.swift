/// The modifiers that have to be down together with a key; the host presses those that are not down yet. Left and right
/// modifiers are not distinguished.
package struct RemoteModifiers: OptionSet, Hashable, Sendable {
    package var rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// `cmd`: Command, Windows, Super.
    package static let command = RemoteModifiers(rawValue: 1 << 0)
    /// `ctrl`: Control.
    package static let control = RemoteModifiers(rawValue: 1 << 1)
    /// `alt`: Option.
    package static let option = RemoteModifiers(rawValue: 1 << 2)
    /// `shift`: Shift.
    package static let shift = RemoteModifiers(rawValue: 1 << 3)
}
