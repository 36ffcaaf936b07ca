package import NIOCore

/// A TCP connection that carries media: what waits is to wait where it can still be dropped, and not in the system.
package enum StreamBacklog {
    #if os(Linux)
    /// TCP_NOTSENT_LOWAT of `linux/tcp.h`.
    private static let notSentLowWater = NIOBSDSocket.Option(rawValue: 25)
    #endif
    private static let most: SocketOptionValue = 8 << 10

    /// Has the system take more bytes of a connection only while fewer than 8 KiB wait in it to be sent for the first
    /// time; called on its loop. A system that can't do so takes what its buffer holds.
    package static func limit(_ channel: any Channel) {
        #if os(Linux)
        try? channel.syncOptions?.setOption(.tcpOption(notSentLowWater), value: most)
        #endif
    }
}
