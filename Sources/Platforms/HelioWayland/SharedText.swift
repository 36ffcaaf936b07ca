import CWayland
import Glibc

/// Text in memory that can be sent to another process, with a zero byte at its end.
package final class SharedText {
    package let descriptor: Int32
    /// The size in bytes, with the zero byte.
    package let size: Int

    /// `nil` if this process has no memory or file descriptor left.
    package init?(_ text: String) {
        var bytes = Array(text.utf8)
        bytes.append(0)
        size = bytes.count
        descriptor = helio_wayland_memory("heliograph-text", bytes.count)
        guard descriptor >= 0 else { return nil }
        guard pwrite(descriptor, bytes, bytes.count, 0) == bytes.count else {
            close(descriptor)
            return nil
        }
    }

    deinit { close(descriptor) }
}
