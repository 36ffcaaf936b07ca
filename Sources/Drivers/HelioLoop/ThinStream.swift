package import NIOCore

/// Configures a TCP connection that carries small, latency-sensitive messages: requests, answers, signalling.
package enum ThinStream {
    #if os(Linux)
    /// TCP_THIN_LINEAR_TIMEOUTS of `linux/tcp.h`, which Glibc's module leaves out.
    private static let linearTimeouts = NIOBSDSocket.Option(rawValue: 16)
    #endif

    /// Turns off the backoff of a new connection's first retransmissions; called on its loop.
    ///
    /// With fewer than four segments in flight, the sender detects a loss only by its retransmission timeout. TCP
    /// doubles that timeout at each loss in a row, to 6 s and more on a path that loses a fifth of all packets both
    /// ways. With this option Linux keeps the first six timeouts equal; so little data is sent that this does not add
    /// to congestion. A kernel without the option keeps its usual backoff.
    package static func prepare(_ channel: any Channel) {
        #if os(Linux)
        try? channel.syncOptions?.setOption(.tcpOption(linearTimeouts), value: 1)
        #endif
    }
}
