import Glibc
package import HelioCore

/// Opens the clipboard of an X display.
package enum LinuxClipboard {
    /// Opens the clipboard; `nil` if there is no display.
    ///
    /// - Parameters:
    ///   - display: the display's name, in the form of `$DISPLAY`; `nil` for the value of `$DISPLAY`.
    ///   - marked: true to share PRIMARY as well as CLIPBOARD.
    ///   - handler: called with each event, one at a time.
    ///
    /// Throws `unsupported` if the display can't be opened, or has no XFIXES to report new owners.
    package static func open(
        display: String?, marked: Bool, handler: @escaping @Sendable (ClipboardEvent) -> Void
    ) throws(HelioError) -> (any ClipboardAccess)? {
        guard display != nil || getenv("DISPLAY") != nil else { return nil }
        guard marked else { return try X11Clipboard(display: display, handler: handler) }
        return try BothSelections(display: display, handler: handler)
    }
}
