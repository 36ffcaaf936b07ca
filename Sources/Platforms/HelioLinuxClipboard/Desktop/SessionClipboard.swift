package import HelioCore
import HelioDBusWire
package import HelioDesktop
import Synchronization

/// The clipboard of a desktop's session, such as Mutter's: the desktop tells the types when a program copies, content
/// goes through pipes. The limits and time-outs are those of `X11ClipboardOptions`.
package final class SessionClipboard: ThreadedClipboard {
    package let thread: ClipboardThread
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
        thread = try ClipboardThread(SessionClipboardWorker(session, X11ClipboardOptions(), mailbox))
    }
}
