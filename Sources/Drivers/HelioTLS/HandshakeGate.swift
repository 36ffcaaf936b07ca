package import NIOCore

/// Checks whether a TLS handshake may begin when a connection's first bytes arrive, so that silent connections are not
/// counted as handshakes.
package final class HandshakeGate: ChannelInboundHandler {
    package typealias InboundIn = ByteBuffer

    private let mayBegin: () -> Bool
    private let refused: () -> Void
    private var isOpen = false

    /// - Parameter refused: called if `mayBegin` returns false; has to close the connection.
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
