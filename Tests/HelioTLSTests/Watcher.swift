import HelioTLS
import NIOCore

/// The last handler of a channel; it records its events.
final class Watcher: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private(set) var bytes: [UInt8] = []
    /// The number of reads in which the bytes arrived.
    private(set) var pieces = 0
    private(set) var largestPiece = 0
    private(set) var handshakes = 0
    private(set) var errors: [any Error] = []
    private(set) var isGone = false

    var failures: [TLSError] { errors.compactMap { $0 as? TLSError } }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted = event as? TLSEvent { handshakes += 1 }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let piece = unwrapInboundIn(data)
        bytes += piece.readableBytesView
        pieces += 1
        largestPiece = max(largestPiece, piece.readableBytes)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { errors.append(error) }
    func channelInactive(context: ChannelHandlerContext) { isGone = true }
}
