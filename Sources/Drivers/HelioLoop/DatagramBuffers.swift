package import NIOCore

/// The kernel's buffers of UDP sockets. A keyframe is a burst of hundreds of packets; with the default size the last ones
/// would be dropped.
package enum DatagramBuffers {
    /// The wanted sizes in bytes, the best first. Linux cuts a size down to its limit; Darwin refuses one above
    /// `kern.ipc.maxsockbuf` with ENOBUFS, and the socket must work nevertheless.
    static let sizes: [SocketOptionValue] = [4 << 20, 2 << 20, 1 << 20, 512 << 10, 256 << 10]

    /// Enlarges both buffers of a socket as far as the system permits; called on the channel's loop.
    package static func enlarge(_ channel: any Channel) {
        for name in [NIOBSDSocket.Option.so_rcvbuf, .so_sndbuf] {
            _ = firstTaken { try channel.syncOptions?.setOption(.socketOption(name), value: $0) }
        }
    }

    /// Tries the sizes in turn. Returns the first that is not refused; `nil` if all are.
    static func firstTaken(_ set: (SocketOptionValue) throws -> Void) -> SocketOptionValue? {
        sizes.first { size in
            do { try set(size) } catch { return false }
            return true
        }
    }
}
