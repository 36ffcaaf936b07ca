package import NIOCore

/// A TCP connection that carries little at a time and that somebody waits for: requests, answers, signalling.
package enum ThinStream {
    #if os(Linux)
    /// TCP_THIN_LINEAR_TIMEOUTS of `linux/tcp.h`, which Glibc's module leaves out.
    private static let linearTimeouts = NIOBSDSocket.Option(rawValue: 16)
    #endif

    /// Keeps lost segments of a new connection from being waited for longer and longer; called on its loop.
    ///
    /// With less than four segments on the way, no later one tells the sender that one is lost: only time does. TCP doubles
    /// that time at each loss in a row, to 6 s and more where a path loses a fifth of all packets both ways. With this
    /// option Linux lets the first six last the same: too little is sent for that to add to a congestion. A kernel
    /// that does not know it carries the stream as ever.
    package static func prepare(_ channel: any Channel) {
        #if os(Linux)
        try? channel.syncOptions?.setOption(.tcpOption(linearTimeouts), value: 1)
        #endif
    }
}
