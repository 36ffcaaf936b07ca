import CWayland
import Glibc
package import HelioCore
internal import HelioLocalSocket

/// The non-blocking socket to a compositor, which carries bytes and file descriptors. It is closed with this object.
package final class WaylandSocket {
    package let descriptor: Int32
    /// The owner of the descriptor; `nil` if it is this object.
    private let connected: LocalSocket?

    /// Connects to a compositor's socket. Throws `unreachable` if no program listens there.
    ///
    /// - Parameter path: the socket's path.
    package init(path: String) throws(HelioError) {
        let socket = try LocalSocket.connect(to: path)
        connected = socket
        descriptor = socket.descriptor
    }

    /// Takes over a connected socket.
    package init(taking descriptor: Int32) {
        self.descriptor = descriptor
        connected = nil
    }

    deinit { if connected == nil { close(descriptor) } }

    /// The path of the compositor's socket that the environment names: `$WAYLAND_DISPLAY`, a path or the name of a
    /// socket in `$XDG_RUNTIME_DIR`. Throws `captureFailed` if it names none.
    package static func path(_ variable: (String) -> String?) throws(HelioError) -> String {
        var name = variable("WAYLAND_DISPLAY") ?? ""
        // libwayland's default name.
        if name.isEmpty, variable("XDG_SESSION_TYPE") == "wayland" { name = "wayland-0" }
        if name.isEmpty { throw HelioError(.captureFailed, "WAYLAND_DISPLAY names no compositor.") }
        if name.hasPrefix("/") { return name }
        guard let folder = variable("XDG_RUNTIME_DIR"), !folder.isEmpty else {
            throw HelioError(
                .captureFailed, "XDG_RUNTIME_DIR is not set, so the compositor's socket \(name) can't be found.")
        }
        return "\(folder)/\(name)"
    }

    /// The most descriptors that go with one write.
    package static let mostDescriptors = Int(HELIO_WAYLAND_DESCRIPTORS)

    package enum Transfer {
        case done(Int)
        case wouldBlock
        case closed
        /// Descriptors were lost, because too many came at once.
        case truncated
    }

    /// Sends bytes, as many as the other end takes now, with at most `mostDescriptors`, which stay the caller's.
    package func send(_ bytes: ArraySlice<UInt8>, descriptors: [Int32]) -> Transfer {
        let sent = bytes.withUnsafeBufferPointer { bytes in
            helio_wayland_send(descriptor, bytes.baseAddress, bytes.count, descriptors, descriptors.count)
        }
        if sent >= 0 { return .done(sent) }
        return [EAGAIN, EWOULDBLOCK, ENOBUFS, ETOOMANYREFS].contains(errno) ? .wouldBlock : .closed
    }

    /// Receives what has arrived.
    ///
    /// - Parameter descriptors: set to the descriptors that came with the bytes; the caller closes them, whatever the
    ///   result.
    package func receive(into buffer: UnsafeMutableBufferPointer<UInt8>, descriptors: inout [Int32]) -> Transfer {
        var received = [Int32](repeating: -1, count: Int(HELIO_WAYLAND_DESCRIPTORS))
        var count = 0
        let size = helio_wayland_receive(descriptor, buffer.baseAddress, buffer.count, &received, &count)
        descriptors = Array(received.prefix(count))
        switch size {
        case 1...: return .done(size)
        case -1: return [EAGAIN, EWOULDBLOCK].contains(errno) ? .wouldBlock : .closed
        case -2: return .truncated
        default: return .closed
        }
    }
}
