package import NIOCore

/// Limits the unsent bytes of a TCP connection that carries media, so that data is queued in this process, where it can
/// still be dropped, and not in the kernel.
package enum StreamBacklog {
    #if os(Linux)
    /// The socket option TCP_NOTSENT_LOWAT of `linux/tcp.h`.
    private static let notSentLowWater = NIOBSDSocket.Option(rawValue: 25)
    #endif
    private static let most: SocketOptionValue = 8 << 10

    /// Makes the socket writable only while fewer than 8 KiB in it are unsent; called on the channel's loop. On other
    /// systems than Linux, the kernel accepts as much as its send buffer holds.
    package static func limit(_ channel: any Channel) {
        #if os(Linux)
        try? channel.syncOptions?.setOption(.tcpOption(notSentLowWater), value: most)
        #endif
    }
}
