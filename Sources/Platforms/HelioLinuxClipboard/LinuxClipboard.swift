import Glibc
package import HelioCore
package import HelioDesktop

/// Opens the clipboard of an X display or of a Wayland compositor.
package enum LinuxClipboard {
    /// Opens the clipboard of a Wayland compositor.
    ///
    /// - Parameters:
    ///   - path: the compositor's socket.
    ///   - marked: true to share text that is only selected as well, if the compositor does.
    ///   - handler: called with each event, one at a time.
    ///
    /// Throws `unsupported` if the compositor lets no program share its clipboard.
    package static func open(
        compositor path: String, marked: Bool, handler: @escaping @Sendable (ClipboardEvent) -> Void
    ) throws(HelioError) -> any ClipboardAccess {
        if marked {
            let both = try? BothSelections(handler) { selection, handler throws(HelioError) in
                var options = X11ClipboardOptions()
                options.selection = selection
                return try WlrClipboard(path: path, options: options, handler: handler)
            }
            if let both { return both }
        }
        return try WlrClipboard(path: path, handler: handler)
    }

    /// Opens the clipboard of a viewer's session: the compositor's if it lets programs share it, otherwise the X
    /// server's, with which GNOME's compositor keeps its own equal; `nil` if there is neither.
    ///
    /// - Parameters:
    ///   - path: the socket of the session's compositor; `nil` for an X11 session.
    ///   - marked: true to share text that is only selected as well.
    ///   - handler: called with each event, one at a time.
    ///
    /// Throws `unsupported` if neither can be shared.
    package static func open(
        session path: String?, marked: Bool, handler: @escaping @Sendable (ClipboardEvent) -> Void
    ) throws(HelioError) -> (any ClipboardAccess)? {
        guard let path else { return try open(display: nil, marked: marked, handler: handler) }
        do throws(HelioError) {
            return try open(compositor: path, marked: marked, handler: handler)
        } catch {
            let hasServer = getenv("DISPLAY").map { $0.pointee != 0 } ?? false
            guard error.code == .unsupported, hasServer else { throw error }
            return try open(display: nil, marked: marked, handler: handler)
        }
    }

    /// Opens the clipboard of a desktop's session; `nil` if it has none.
    ///
    /// - Parameter handler: called with each event, one at a time.
    package static func open(
        _ session: any DesktopSession, handler: @escaping @Sendable (ClipboardEvent) -> Void
    ) throws(HelioError) -> (any ClipboardAccess)? {
        session.clipboard == nil ? nil : try SessionClipboard(session, handler: handler)
    }

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
