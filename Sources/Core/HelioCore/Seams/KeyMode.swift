/// The rule for sending a viewer's keys to the host.
package enum KeyMode: String, Sendable, Hashable, CaseIterable {
    /// A key that produces a character at the viewer produces the same character at the host, regardless of the host's
    /// layout. Other keys, and keys with Ctrl, Alt or GUI, are sent by position.
    case character
    /// Each key is sent by position, and the host's layout decides its character.
    case place
    /// Typed text is sent as text, without held keys: for a window that does not learn which key produced the text.
    case text
}
