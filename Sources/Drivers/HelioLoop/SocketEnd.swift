package import NIOCore

#if canImport(Darwin)
private import Darwin
#else
private import Glibc
#endif

/// Closes a socket without asking the handlers behind it: TLS would send its close first and wait some seconds for the
/// peer's, and so keep the socket of a peer that does not read.
package final class SocketEnd: ChannelInboundHandler {
    package typealias InboundIn = ByteBuffer

    private var context: ChannelHandlerContext?

    package init() {}

    package func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    package func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    package func close() { context?.close(promise: nil) }

    package func abort() {
        // To linger for no time is to reset the connection. Where that fails, closing has to do.
        _ = (context?.channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
        close()
    }
}
