import CXCB
package import HelioCore

/// The clipboard of an X server: one selection, usually CLIPBOARD. XFIXES reports changes; content is read and offered
/// according to ICCCM, on a separate connection and thread.
///
/// The formats are requested when a program copies; the content is requested only by `read`. Copies that password
/// managers mark as secret are not reported. Only the program that pastes waits for `provide`; the clipboard's thread
/// does not.
package final class X11Clipboard: ClipboardAccess {
    private let mailbox: ClipboardMailbox
    private let thread: ClipboardThread
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
        guard let thread = ClipboardWorker.start(connection, options, mailbox) else {
            throw HelioError(.systemFailed, "No thread is left for this process.")
        }
        self.mailbox = mailbox
        self.thread = ClipboardThread(thread, mailbox)
    }

    deinit { stop() }

    package func offer(_ entries: [ClipboardEntry]) { mailbox.put(.offer(entries)) }

    package func withdraw() { mailbox.put(.withdraw) }

    package func read(_ format: ClipboardFormat, of serial: ClipboardSerial, limit: Int, as id: ClipboardReadID) {
        mailbox.put(.read(format, serial, limit: limit, id))
    }

    package func provide(_ paste: PasteID, _ content: Result<[UInt8], ClipboardFailure>) {
        mailbox.put(.provide(paste, content))
    }

    package func stop() { thread.stop() }

    package var statistics: ClipboardAccessStatistics { mailbox.statistics }
}
