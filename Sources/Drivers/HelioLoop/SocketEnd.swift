package import NIOCore

#if canImport(Darwin)
private import Darwin
#else
private import Glibc
#endif

/// Closes a socket at once, bypassing the TLS handler behind it. The TLS handler would first send close_notify and wait
/// some seconds for the peer's, and so keep open the socket of a peer that does not read.
package final class SocketEnd: ChannelInboundHandler {
    package typealias InboundIn = ByteBuffer

    private var context: ChannelHandlerContext?

    package init() {}

    package func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    package func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    package func close() { context?.close(promise: nil) }

    package func abort() {
        if let channel = context?.channel { Self.setReset(channel) }
        close()
    }

    /// Resets a connection that has no such handler. Its TLS handler may take some seconds for its farewell.
    package static func abort(_ channel: any Channel) {
        setReset(channel)
        channel.close(promise: nil)
    }

    /// Sets a linger time of 0, by which closing resets the connection. If it can't be set, the connection is closed
    /// ordinarily.
    private static func setReset(_ channel: any Channel) {
        _ = (channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
    }
}
