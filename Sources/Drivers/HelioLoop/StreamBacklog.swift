package import NIOCore

/// Limits the unsent bytes of a TCP connection that carries media, so that data queues where it can still be dropped,
/// and not in the system.
package enum StreamBacklog {
    #if os(Linux)
    /// TCP_NOTSENT_LOWAT of `linux/tcp.h`.
    private static let notSentLowWater = NIOBSDSocket.Option(rawValue: 25)
    #endif
    private static let most: SocketOptionValue = 8 << 10

    /// Makes the socket writable only while fewer than 8 KiB in it are unsent; called on the channel's loop. Elsewhere
    /// than on Linux, the system takes as much as its buffer holds.
    package static func limit(_ channel: any Channel) {
        #if os(Linux)
        try? channel.syncOptions?.setOption(.tcpOption(notSentLowWater), value: most)
        #endif
    }
}
