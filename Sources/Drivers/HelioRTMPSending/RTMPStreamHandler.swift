import HelioTLS
import NIOCore

/// Hands a connection's bytes on as plain arrays; its engine ends one that sends what it does not take.
final class RTMPStreamHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let secured: () -> Void
    private let received: ([UInt8]) -> Void
    private let closed: ((any Error)?) -> Void
    private var failure: (any Error)?

    /// - Parameters:
    ///   - secured: called when TLS is there; never without TLS.
    ///   - closed: called once when it has ended, with the error that ended it, if any.
    init(
        secured: @escaping () -> Void, received: @escaping ([UInt8]) -> Void,
        closed: @escaping ((any Error)?) -> Void
    ) {
        self.secured = secured
        self.received = received
        self.closed = closed
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted = event as? TLSEvent { secured() }
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
