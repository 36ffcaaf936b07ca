import NIOCore

/// Answers each mDNS question with the address 127.0.0.1.
final class Responder: ChannelInboundHandler, Sendable {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let envelope = unwrapInboundIn(data)
        let question = Array(buffer: envelope.data)
        guard question.count > 12, let end = question[12...].firstIndex(of: 0) else { return }
        let bytes: [UInt8] =
            question[0..<2] + [0x84, 0, 0, 0, 0, 1, 0, 0, 0, 0] + question[12...end]
            + [0, 1, 0x80, 1, 0, 0, 0, 120, 0, 4, 127, 0, 0, 1]
        context.writeAndFlush(
            NIOAny(
                AddressedEnvelope(
                    remoteAddress: envelope.remoteAddress, data: context.channel.allocator.buffer(bytes: bytes))),
            promise: nil)
    }
}
