import Glibc
package import HelioCore

/// The clipboard of a person's display.
package enum LinuxClipboard {
    /// Opens the clipboard; `nil` if there is no display.
    ///
    /// - Parameters:
    ///   - display: the display, as in `$DISPLAY`, which is taken when `nil`.
    ///   - marked: true to share PRIMARY as well as CLIPBOARD.
    ///   - handler: takes the events, one at a time.
    ///
    /// Throws `unsupported` for a display that can't be opened, or does not report new owners.
    package static func open(
        display: String?, marked: Bool, handler: @escaping @Sendable (ClipboardEvent) -> Void
    ) throws(HelioError) -> (any ClipboardAccess)? {
        guard display != nil || getenv("DISPLAY") != nil else { return nil }
        guard marked else { return try X11Clipboard(display: display, handler: handler) }
        return try BothSelections(display: display, handler: handler)
    }
}
