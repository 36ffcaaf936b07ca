/// A selection of an X server (ICCCM, section 2).
package enum X11Selection: String, Sendable, Hashable {
    /// What is copied by name.
    case clipboard = "CLIPBOARD"
    /// What is marked, and pasted with the middle button.
    case primary = "PRIMARY"
}
