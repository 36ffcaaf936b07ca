import Glibc
package import HelioCore
internal import HelioWayland
import HelioWaylandWire

/// The clipboard of a Wayland compositor, by wlroots' data control: one selection, usually the clipboard.
///
/// The compositor tells the formats when a program copies; the content is requested only by `read`. Copies that
/// password managers mark as secret are not reported. Only the program that pastes waits for `provide`; the clipboard's
/// thread does not. The limits and time-outs are those of `X11ClipboardOptions`.
package final class WlrClipboard: ThreadedClipboard {
    package let thread: ClipboardThread
    package let place: String?

    /// Connects, and starts the thread. The first event reports the present contents, if there are any.
    ///
    /// - Parameters:
    ///   - path: the compositor's socket.
    ///   - handler: called with each event on the clipboard's thread. It must not block.
    ///
    /// Throws `unsupported` if the compositor can't be reached, or lets no program see its clipboard.
    package convenience init(
        path: String, options: X11ClipboardOptions = X11ClipboardOptions(),
        handler: @escaping @Sendable (ClipboardEvent) -> Void
    ) throws(HelioError) {
        let connection: WaylandConnection
        do throws(HelioError) {
            connection = try WaylandConnection(path: path)
        } catch {
            throw HelioError(.unsupported, error.message)
        }
        try self.init(connection, place: Self.place(of: path), options: options, handler: handler)
    }

    init(
        _ connection: WaylandConnection, place: String?, options: X11ClipboardOptions,
        handler: @escaping @Sendable (ClipboardEvent) -> Void
    ) throws(HelioError) {
        let mailbox = try ClipboardMailbox(handler)
        let worker = try DataControlWorker(connection, options, mailbox)
        mailbox.setDescriptor(connection.fileDescriptor)
        self.place = place.map { "\($0) \(options.selection.rawValue)" }
        thread = try ClipboardThread(worker)
    }

    /// A name of the compositor behind a socket, which no other compositor has: from this start of the machine and the
    /// socket's place in its file system. `nil` if either is unknown.
    private static func place(of path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0, let file = fopen("/proc/sys/kernel/random/boot_id", "re") else { return nil }
        defer { fclose(file) }
        var boot = [UInt8](repeating: 0, count: 36)
        guard fread(&boot, 1, boot.count, file) == boot.count else { return nil }
        let text = String(decoding: boot, as: UTF8.self) + " \(status.st_dev) \(status.st_ino)"
        // FNV-1a twice, so that the name tells nothing about the machine.
        return [0xCBF2_9CE4_8422_2325, 0x8422_2325_CBF2_9CE4 as UInt64].map { start in
            let hash = text.utf8.reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
            return String(hash, radix: 16)
        }.joined()
    }
}
