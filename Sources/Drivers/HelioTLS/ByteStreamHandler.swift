package import NIOCore

/// Hands a connection's bytes to an engine as plain arrays.
///
/// The handler has no limit of its own: the engine closes a connection whose peer sends too much.
package final class ByteStreamHandler: ChannelInboundHandler {
    package typealias InboundIn = ByteBuffer

    private let opened: (any Channel) -> Void
    private let received: ([UInt8]) -> Void
    private let closed: ((any Error)?) -> Void
    private var failure: (any Error)?

    /// - Parameters:
    ///   - opened: called when the TLS handshake is complete; never without TLS.
    ///   - closed: called once when the connection has ended, with the error that ended it, if any.
    package init(
        opened: @escaping (any Channel) -> Void, received: @escaping ([UInt8]) -> Void,
        closed: @escaping ((any Error)?) -> Void
    ) {
        self.opened = opened
        self.received = received
        self.closed = closed
    }

    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted = event as? TLSEvent { opened(context.channel) }
        context.fireUserInboundEventTriggered(event)
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received(Array(buffer: unwrapInboundIn(data)))
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        failure = failure ?? error
        context.close(promise: nil)
    }

    package func channelInactive(context: ChannelHandlerContext) {
        closed(failure)
        context.fireChannelInactive()
    }
}
