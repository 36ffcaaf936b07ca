/// The meaning of a viewer's keys at the host.
package enum KeyMode: String, Sendable, Hashable, CaseIterable {
    /// A key that produces a character here produces the same character there, regardless of the host's layout. Other
    /// keys, and keys with Ctrl, Alt or GUI, are sent by position.
    case character
    /// Each key is sent by position, and the host's layout decides its character.
    case place
    /// Typed text is sent as text, without held keys: for a window that can't tell which key produced it.
    case text
}
