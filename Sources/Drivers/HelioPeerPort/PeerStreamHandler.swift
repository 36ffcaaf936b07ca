internal import NIOCore

/// Reports the events of one connection to its owner.
final class PeerStreamHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let received: ([UInt8]) -> Void
    private let settled: () -> Void
    private let closed: () -> Void
    private let failed: (any Error) -> Void

    /// - Parameters:
    ///   - settled: called when all bytes of one wake-up have been handed over.
    ///   - closed: called once, when the connection is closed.
    ///   - failed: called with an error, before `closed`.
    init(
        received: @escaping ([UInt8]) -> Void, settled: @escaping () -> Void, closed: @escaping () -> Void,
        failed: @escaping (any Error) -> Void = { _ in }
    ) {
        self.received = received
        self.settled = settled
        self.closed = closed
        self.failed = failed
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { received(Array(buffer: unwrapInboundIn(data))) }

    func channelReadComplete(context: ChannelHandlerContext) { settled() }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        failed(error)
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        closed()
        context.fireChannelInactive()
    }
}
