/// The modifiers that have to be down together with a key; the host presses those that are not down yet. Left and right
/// modifiers are not distinguished.
public struct RemoteModifiers: OptionSet, Hashable, Sendable {
    /// A bit for each modifier; not a value of the wire.
    public var rawValue: UInt8
    /// Makes a set of its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// `cmd`: Command, Windows, Super.
    public static let command = RemoteModifiers(rawValue: 1 << 0)
    /// `ctrl`: Control.
    public static let control = RemoteModifiers(rawValue: 1 << 1)
    /// `alt`: Option.
    public static let option = RemoteModifiers(rawValue: 1 << 2)
    /// `shift`: Shift.
    public static let shift = RemoteModifiers(rawValue: 1 << 3)
}
