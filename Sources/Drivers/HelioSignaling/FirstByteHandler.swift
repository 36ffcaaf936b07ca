internal import NIOCore

/// Reads the first byte of a connection, which distinguishes TLS, HTTP and media; then calls `chosen`, which adds the
/// protocol's handlers, and removes itself.
///
/// A TLS handshake record begins with the byte 22 (RFC 8446 section 5.1). An HTTP request begins with a letter (RFC
/// 9112 section 3) or an empty line. ICE over TCP begins with the length of a STUN request in two bytes (RFC 6544
/// section 3); the first of these is 0 or 1, as a STUN request of ICE is shorter than 512 bytes.
final class FirstByteHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    enum Kind {
        case tls
        case http
        case media

        init(_ first: UInt8) {
            switch first {
            case 22: self = .tls
            case 0, 1: self = .media
            default: self = .http
            }
        }
    }

    private let chosen: (Kind, ChannelPipeline.SynchronousOperations, FirstByteHandler) throws -> Void

    /// - Parameter chosen: called once, to add the protocol's handlers behind this one.
    init(_ chosen: @escaping (Kind, ChannelPipeline.SynchronousOperations, FirstByteHandler) throws -> Void) {
        self.chosen = chosen
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        guard let first = bytes.getInteger(at: bytes.readerIndex, as: UInt8.self) else { return }
        let operations = context.pipeline.syncOperations
        do {
            try chosen(Kind(first), operations, self)
        } catch {
            context.fireErrorCaught(error)
            return context.close(promise: nil)
        }
        guard context.channel.isActive else { return }
        context.fireChannelRead(wrapInboundOut(bytes))
        operations.removeHandler(context: context, promise: nil)
    }

    /// Closes the connection, which has received nothing yet.
    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
