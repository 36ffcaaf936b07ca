internal import HelioCore
internal import NIOCore
private import NIOPosix

/// A UDP socket at one address of this machine, for all peers of a port: what leaves by it leaves from there.
final class PeerSocket: PortFlushable {
    /// Packets of WebRTC fit an Ethernet frame.
    private static let largestDatagram = 2048
    private static let batch = 32

    let base: TransportAddress
    private let channel: any Channel
    /// Whom was sent to lately: the system's form of an address costs an allocation.
    private var remotes: [TransportAddress: SocketAddress] = [:]
    private static let maximumRemotes = 4096

    private init(_ channel: any Channel, _ base: TransportAddress) {
        self.channel = channel
        self.base = base
    }

    /// - Parameters:
    ///   - received: called with each datagram.
    ///   - settled: called when all datagrams of one wake-up have been told.
    static func bind(
        _ address: TransportAddress, on loop: any EventLoop,
        received: @escaping ([UInt8], TransportAddress, TransportAddress) -> Void, settled: @escaping () -> Void
    ) -> EventLoopFuture<NIOLoopBound<PeerSocket>> {
        let handlers = NIOLoopBound((received, settled), eventLoop: loop)
        let bufferBytes: SocketOptionValue = 4 << 20
        return DatagramBootstrap(group: loop)
            .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: batch * largestDatagram))
            .channelOption(.datagramVectorReadMessageCount, value: batch)
            .channelOption(.socketOption(.so_rcvbuf), value: bufferBytes)
            .channelOption(.socketOption(.so_sndbuf), value: bufferBytes)
            .channelOption(.writeBufferWaterMark, value: .init(low: 4 << 20, high: 8 << 20))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let (received, settled) = handlers.value
                    try channel.pipeline.syncOperations.addHandler(
                        PeerSocketHandler(received: received, settled: settled))
                }
            }
            .bind(to: address.socketAddress)
            .flatMapThrowing { channel in
                guard let base = channel.localAddress.flatMap({ TransportAddress($0, .udp) }) else {
                    throw ChannelError.unknownLocalAddress
                }
                try channel.pipeline.syncOperations.handler(type: PeerSocketHandler.self).base = base
                return NIOLoopBound(PeerSocket(channel, base), eventLoop: loop)
            }
    }

    /// Queues one datagram until `flush`; `false` where the system is too far behind.
    func send(_ bytes: [UInt8], to remote: TransportAddress) -> Bool {
        guard channel.isWritable else { return false }
        var buffer = channel.allocator.buffer(capacity: bytes.count)
        buffer.writeBytes(bytes)
        channel.write(AddressedEnvelope(remoteAddress: socketAddress(of: remote), data: buffer), promise: nil)
        return true
    }

    private func socketAddress(of remote: TransportAddress) -> SocketAddress {
        if let known = remotes[remote] { return known }
        if remotes.count >= Self.maximumRemotes { remotes.removeAll(keepingCapacity: true) }
        let address = remote.socketAddress
        remotes[remote] = address
        return address
    }

    func flush() { channel.flush() }

    func close() { channel.close(promise: nil) }
}

private final class PeerSocketHandler: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>

    private let received: ([UInt8], TransportAddress, TransportAddress) -> Void
    private let settled: () -> Void
    var base: TransportAddress?

    init(received: @escaping ([UInt8], TransportAddress, TransportAddress) -> Void, settled: @escaping () -> Void) {
        self.received = received
        self.settled = settled
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let envelope = unwrapInboundIn(data)
        guard let base, let remote = TransportAddress(envelope.remoteAddress, .udp) else { return }
        received(Array(buffer: envelope.data), remote, base)
    }

    func channelReadComplete(context: ChannelHandlerContext) { settled() }

    /// An unreachable peer shows up as an error on the socket; ICE finds that out by itself.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {}
}
