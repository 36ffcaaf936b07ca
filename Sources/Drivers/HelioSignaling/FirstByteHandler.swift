internal import NIOCore

/// Looks at the first byte of a connection, which tells TLS from HTTP, and makes room for what speaks that.
///
/// A record of TLS's handshake begins with 22 (RFC 8446 section 5.1); a request of HTTP with a letter (RFC 9112 section
/// 3), or with an empty line.
final class FirstByteHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private static let handshake: UInt8 = 22

    private let chosen: (_ isTLS: Bool, ChannelPipeline.SynchronousOperations, FirstByteHandler) throws -> Void

    /// - Parameter chosen: called once, and adds behind this handler what speaks TLS, where it is that.
    init(_ chosen: @escaping (_ isTLS: Bool, ChannelPipeline.SynchronousOperations, FirstByteHandler) throws -> Void) {
        self.chosen = chosen
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        guard let first = bytes.getInteger(at: bytes.readerIndex, as: UInt8.self) else { return }
        let operations = context.pipeline.syncOperations
        do {
            try chosen(first == Self.handshake, operations, self)
        } catch {
            context.fireErrorCaught(error)
            return context.close(promise: nil)
        }
        context.fireChannelRead(wrapInboundOut(bytes))
        operations.removeHandler(context: context, promise: nil)
    }
}
