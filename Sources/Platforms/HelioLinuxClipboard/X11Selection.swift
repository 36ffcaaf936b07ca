/// A selection of an X server (ICCCM, section 2).
package enum X11Selection: String, Sendable, Hashable {
    /// Content copied by a command such as Ctrl+C.
    case clipboard = "CLIPBOARD"
    /// Content that is selected, and pasted with the middle mouse button.
    case primary = "PRIMARY"
}
