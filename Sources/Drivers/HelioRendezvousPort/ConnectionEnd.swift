internal import NIOCore

/// Reports the end of a connection, with the first error that ended it. The last handler of its pipeline.
final class ConnectionEnd: ChannelInboundHandler {
    typealias InboundIn = Any

    private let ended: ((any Error)?) -> Void
    private var failure: (any Error)?

    /// - Parameter ended: called once.
    init(ended: @escaping ((any Error)?) -> Void) { self.ended = ended }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {}

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        failure = failure ?? error
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        ended(failure)
        context.fireChannelInactive()
    }
}
