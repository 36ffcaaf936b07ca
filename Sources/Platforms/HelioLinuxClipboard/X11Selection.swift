/// A selection of an X server (ICCCM, section 2).
package enum X11Selection: String, Sendable, Hashable {
    /// Content that is copied by a command.
    case clipboard = "CLIPBOARD"
    /// Content that is selected, and pasted with the middle button.
    case primary = "PRIMARY"
}
