package import NIOCore

/// Checks, at the first bytes of a connection, whether a TLS handshake may begin, so that silent connections do not
/// count.
package final class HandshakeGate: ChannelInboundHandler {
    package typealias InboundIn = ByteBuffer

    private let mayBegin: () -> Bool
    private let refused: () -> Void
    private var isOpen = false

    /// - Parameter refused: closes the connection.
    package init(mayBegin: @escaping () -> Bool, refused: @escaping () -> Void) {
        self.mayBegin = mayBegin
        self.refused = refused
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if !isOpen {
            guard mayBegin() else { return refused() }
            isOpen = true
        }
        context.fireChannelRead(data)
    }
}
