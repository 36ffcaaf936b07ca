package import NIOCore

/// Limits the unsent bytes of a connection that carries media, so that data is queued in this process, where it can
/// still be dropped, and not in the kernel.
package enum StreamBacklog {
    #if os(Linux)
    /// The socket option TCP_NOTSENT_LOWAT of `linux/tcp.h`.
    private static let notSentLowWater = NIOBSDSocket.Option(rawValue: 25)
    #endif
    private static let most: SocketOptionValue = 8 << 10

    /// The send buffer of a local socket in bytes; the kernel doubles it for its bookkeeping.
    private static let localBuffer: SocketOptionValue = 16 << 10

    /// Makes a TCP socket writable only while fewer than 8 KiB in it are unsent; called on the channel's loop. On other
    /// systems than Linux, the kernel accepts as much as its send buffer holds. A local socket, which knows no such
    /// limit, gets a small send buffer.
    package static func limit(_ channel: any Channel) {
        guard channel.localAddress?.protocol != .unix else {
            try? channel.syncOptions?.setOption(.socketOption(.so_sndbuf), value: localBuffer)
            return
        }
        #if os(Linux)
        try? channel.syncOptions?.setOption(.tcpOption(notSentLowWater), value: most)
        #endif
    }
}
