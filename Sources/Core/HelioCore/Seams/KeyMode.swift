/// What a viewer's keys are at the host.
package enum KeyMode: String, Sendable, Hashable, CaseIterable {
    /// A key that makes a character here makes this character there, whatever its layout. All else, and a key with
    /// Ctrl, Alt or GUI, goes by its place.
    case character
    /// Each key goes by its place, and the host's layout says what it makes.
    case place
    /// What is typed here goes as text, which nothing holds down: for a window that can't tell which key made it.
    case text
}
