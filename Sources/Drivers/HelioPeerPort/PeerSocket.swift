private import CDatagram
internal import HelioCore
private import HelioLoop
internal import NIOCore
private import NIOPosix

/// A UDP socket at one address of this machine, for all peers of a port; its datagrams leave from that address.
///
/// NIO reads the socket; this class writes to it directly, for two reasons. NIO closes a socket permanently if the
/// system refuses one datagram, as happens for addresses that can't be reached from this machine, such as many of a
/// peer's candidates. And datagrams of one size to one destination, as in pictures and long messages, are sent in one
/// system call.
final class PeerSocket: PortFlushable {
    /// The longest datagram in bytes. WebRTC's packets fit an Ethernet frame.
    private static let largestDatagram = 2048
    private static let batch = 32

    let base: TransportAddress
    private let channel: any Channel
    /// The descriptor; `nil` once the socket is closed, since the number may then belong to another file.
    private var descriptor: NIOBSDSocket.Handle?
    /// The socket addresses of recent destinations, cached because making one costs an allocation.
    private var remotes: [TransportAddress: SocketAddress] = [:]
    private static let maximumRemotes = 4096

    /// The datagrams that the next flush sends in one call.
    private var run = DatagramRun()
    /// The number of datagrams that the system refused.
    private var refused = 0

    private init(_ channel: any Channel, _ base: TransportAddress, _ descriptor: NIOBSDSocket.Handle) {
        self.channel = channel
        self.base = base
        self.descriptor = descriptor
    }

    /// - Parameters:
    ///   - received: called with each datagram.
    ///   - settled: called when all datagrams of one wake-up have been handed over.
    static func bind(
        _ address: TransportAddress, on loop: any EventLoop,
        received: @escaping ([UInt8], TransportAddress, TransportAddress) -> Void, settled: @escaping () -> Void
    ) -> EventLoopFuture<NIOLoopBound<PeerSocket>> {
        let handlers = NIOLoopBound((received, settled), eventLoop: loop)
        return DatagramBootstrap(group: loop)
            .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: batch * largestDatagram))
            .channelOption(.datagramVectorReadMessageCount, value: batch)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let (received, settled) = handlers.value
                    DatagramBuffers.enlarge(channel)
                    try channel.pipeline.syncOperations.addHandler(
                        PeerSocketHandler(received: received, settled: settled))
                }
            }
            .bind(to: address.socketAddress)
            .flatMapThrowing { channel in
                guard let base = channel.localAddress.flatMap({ TransportAddress($0, .udp) }) else {
                    throw ChannelError.unknownLocalAddress
                }
                let pipeline = channel.pipeline.syncOperations
                guard let descriptor = try pipeline.withUnsafeTransportIfAvailable({ (it: NIOBSDSocket.Handle) in it })
                else { throw ChannelError.operationUnsupported }
                let socket = PeerSocket(channel, base, descriptor)
                let handler = try pipeline.handler(type: PeerSocketHandler.self)
                handler.base = base
                handler.closed = { [weak socket] in socket?.descriptor = nil }
                return NIOLoopBound(socket, eventLoop: loop)
            }
    }

    /// Queues one datagram, which is sent by the next `flush` at the latest. Returns `false` if the socket is closed.
    func send(_ bytes: [UInt8], to remote: TransportAddress) -> Bool {
        guard descriptor != nil else { return false }
        if !run.takes(bytes, to: remote) {
            flush()
            run.begin(remote)
        }
        run.append(bytes)
        return true
    }

    func flush() {
        guard let remote = run.remote, let descriptor else { return }
        refused += socketAddress(of: remote).withSockAddr { address, size in
            run.withBytes { bytes, segment in
                Int(helio_send_datagrams(descriptor, address, size, bytes.baseAddress, bytes.count, segment))
            }
        }
        run.end()
    }

    /// Returns the number of datagrams that the system refused since the last call, and resets it.
    func takeRefused() -> Int {
        defer { refused = 0 }
        return refused
    }

    private func socketAddress(of remote: TransportAddress) -> SocketAddress {
        if let known = remotes[remote] { return known }
        if remotes.count >= Self.maximumRemotes { remotes.removeAll(keepingCapacity: true) }
        let address = remote.socketAddress
        remotes[remote] = address
        return address
    }

    func close() {
        flush()
        descriptor = nil
        channel.close(promise: nil)
    }
}

private final class PeerSocketHandler: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>

    private let received: ([UInt8], TransportAddress, TransportAddress) -> Void
    private let settled: () -> Void
    var base: TransportAddress?
    var closed: () -> Void = {}

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

    func channelInactive(context: ChannelHandlerContext) { closed() }

    /// Ignores the error: it only means that a peer is unreachable, which ICE detects by itself.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {}
}
