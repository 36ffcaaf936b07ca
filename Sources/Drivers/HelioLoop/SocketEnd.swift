package import NIOCore

#if canImport(Darwin)
private import Darwin
#else
private import Glibc
#endif

/// Closes a socket at once, without the TLS handler behind it: that would first send TLS's close and wait some seconds
/// for the peer's, and so keep open the socket of a peer that does not read.
package final class SocketEnd: ChannelInboundHandler {
    package typealias InboundIn = ByteBuffer

    private var context: ChannelHandlerContext?

    package init() {}

    package func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    package func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    package func close() { context?.close(promise: nil) }

    package func abort() {
        // A linger time of 0 resets the connection. If it can't be set, an ordinary close has to do.
        _ = (context?.channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
        close()
    }
}
