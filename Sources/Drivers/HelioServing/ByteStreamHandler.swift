private import HelioTLS
internal import NIOCore

/// Hands a connection's bytes to an engine as plain arrays.
///
/// Reading is bounded by the engine's own limits: it closes a connection that sends what it will not take.
final class ByteStreamHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let opened: (any Channel) -> Void
    private let received: ([UInt8]) -> Void
    private let closed: ((any Error)?) -> Void
    private var failure: (any Error)?

    /// - Parameters:
    ///   - opened: called when the connection is up, TLS included.
    ///   - closed: called once when it has ended, with the error that ended it, if any.
    init(
        opened: @escaping (any Channel) -> Void, received: @escaping ([UInt8]) -> Void,
        closed: @escaping ((any Error)?) -> Void
    ) {
        self.opened = opened
        self.received = received
        self.closed = closed
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted = event as? TLSEvent { opened(context.channel) }
        context.fireUserInboundEventTriggered(event)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received(Array(buffer: unwrapInboundIn(data)))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        failure = failure ?? error
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        closed(failure)
        context.fireChannelInactive()
    }
}
