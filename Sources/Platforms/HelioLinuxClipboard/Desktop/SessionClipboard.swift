package import HelioCore
import HelioDBusWire
package import HelioDesktop
import Synchronization

/// The clipboard of a desktop's session, such as Mutter's: the desktop tells the types when a program copies, content
/// goes through pipes. The limits and time-outs are those of `X11ClipboardOptions`.
package final class SessionClipboard: ClipboardAccess {
    private let mailbox: ClipboardMailbox
    private let thread: ClipboardThread
    package let place: String? = nil

    /// Switches the session's clipboard on, and starts the thread.
    ///
    /// - Parameter handler: called with each event on the clipboard's thread. It must not block.
    ///
    /// Throws `unsupported` if the session has no clipboard.
    package init(
        _ session: any DesktopSession, handler: @escaping @Sendable (ClipboardEvent) -> Void
    ) throws(HelioError) {
        let mailbox = try ClipboardMailbox(handler)
        let worker = try SessionClipboardWorker(session, X11ClipboardOptions(), mailbox)
        guard let thread = worker.start() else {
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
