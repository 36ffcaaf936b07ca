import CXCB
package import HelioCore

/// The clipboard of an X server: one selection, usually CLIPBOARD. XFIXES reports changes; content is read and offered
/// according to ICCCM, on a separate connection and thread.
///
/// The formats are requested when a program copies; the content is requested only by `read`. Copies that password
/// managers mark as secret are not reported. Only the program that pastes waits for `provide`; the clipboard's thread
/// does not.
package final class X11Clipboard: ThreadedClipboard {
    package let thread: ClipboardThread
    package let place: String?

    /// Connects, and starts the thread. The first event reports the present contents, if there are any.
    ///
    /// - Parameters:
    ///   - display: the display's name, in the form of `$DISPLAY`; `nil` for the value of `$DISPLAY`.
    ///   - handler: called with each event on the clipboard's thread. It must not block.
    ///
    /// Throws `unsupported` if there is no display, or it has no XFIXES to report new owners.
    package init(
        display: String? = nil, options: X11ClipboardOptions = X11ClipboardOptions(),
        handler: @escaping @Sendable (ClipboardEvent) -> Void
    ) throws(HelioError) {
        let mailbox = try ClipboardMailbox(handler)
        let connection = try ClipboardConnection(display: display, selection: options.selection)
        mailbox.setDescriptor(connection.fileDescriptor)
        place = connection.name.map { "\($0) \(options.selection.rawValue)" }
        thread = try ClipboardThread(ClipboardWorker(connection, options, mailbox))
    }
}
