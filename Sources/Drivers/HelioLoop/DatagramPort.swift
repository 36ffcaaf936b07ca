package import HelioCore
package import NIOCore
private import NIOPosix

/// A UDP socket for engines, which reads and sends datagrams in batches.
///
/// Lives on one event loop.
package final class DatagramPort {
    /// The longest datagram in bytes: longer ones are truncated to this, and then fail to authenticate.
    package static let largestDatagram = 2048

    private let channel: any Channel
    private let family: AddressFamily
    /// The socket addresses of the paths in use, cached because making one costs an allocation.
    private var addresses: [PathID: SocketAddress] = [:]
    private static let mostAddresses = 256
    private var needsFlush = false
    /// The number of datagrams dropped because a socket of this family can't reach their address.
    package private(set) var unreachable = 0

    /// The port that the socket is bound to.
    package let localPort: UInt16

    private init(channel: any Channel) {
        self.channel = channel
        localPort = UInt16(channel.localAddress?.port ?? 0)
        family = channel.localAddress?.protocol == .inet6 ? .ipv6 : .ipv4
    }

    /// Binds a UDP socket, which is then read on `loop`.
    ///
    /// - Parameters:
    ///   - batch: the maximum number of datagrams that are read in one system call. With more than 60, each read
    ///     allocates a block that is too large for the allocator to reuse.
    ///   - received: called on the loop with each datagram; the caller owns the bytes.
    package static func bind(
        host: String, port: Int, batch: Int, on loop: any EventLoop,
        received: @escaping ([UInt8], PathID) -> Void
    ) -> EventLoopFuture<NIOLoopBound<DatagramPort>> {
        let received = NIOLoopBound(received, eventLoop: loop)
        let bootstrap = DatagramBootstrap(group: loop)
            .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: batch * largestDatagram))
            .channelOption(.datagramVectorReadMessageCount, value: batch)
            .channelOption(.writeBufferWaterMark, value: .init(low: 4 << 20, high: 8 << 20))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    DatagramBuffers.enlarge(channel)
                    try channel.pipeline.syncOperations.addHandler(DatagramHandler())
                }
            }
        // A numeric address is not resolved: the resolver refuses `::` if no interface has an IPv6 address.
        let bound =
            if let address = try? SocketAddress(ipAddress: host, port: port) {
                bootstrap.bind(to: address)
            } else {
                bootstrap.bind(host: host, port: port)
            }
        return bound.flatMapThrowing { channel in
            let port = DatagramPort(channel: channel)
            let handler = try channel.pipeline.syncOperations.handler(type: DatagramHandler.self)
            handler.received = received.value
            return NIOLoopBound(port, eventLoop: loop)
        }
    }

    /// Sets a kernel filter, on Linux only, that drops datagrams without one of these SSRCs at one of the offsets in
    /// bytes.
    package func listen(to sources: [SSRC], at offsets: [Int]) {
        #if os(Linux)
        // The option is set synchronously, as this call is on the loop. If it can't be set, authentication still
        // rejects datagrams of unknown senders.
        SourceFilter(sources, at: offsets).withValue { value in
            _ = (channel as? any SocketOptionProvider)?.unsafeSetSocketOption(
                level: .socket, name: .init(rawValue: SourceFilter.option), value: value)
        }
        #endif
    }

    /// The number of datagrams that the system dropped because of the filter or a full receive buffer. Always 0 except
    /// on Linux.
    package var thrownAway: Int {
        #if os(Linux)
        var counts: SourceFilter.Counts?
        let options = channel as? any SocketOptionProvider
        let asked: EventLoopFuture<SourceFilter.Counts>? = options?.unsafeGetSocketOption(
            level: .socket, name: .init(rawValue: SourceFilter.countOption))
        asked?.assumeIsolated().whenSuccess { counts = $0 }
        return Int(counts?.8 ?? 0)
        #else
        return 0
        #endif
    }

    /// Queues one datagram; `flush` sends all that are queued in one system call.
    package func send(_ bytes: [UInt8], to path: PathID) {
        guard let address = address(of: path) else {
            unreachable += 1
            return
        }
        var buffer = channel.allocator.buffer(capacity: bytes.count)
        buffer.writeBytes(bytes)
        channel.write(AddressedEnvelope(remoteAddress: address, data: buffer), promise: nil)
        needsFlush = true
    }

    package func flush() {
        guard needsFlush else { return }
        needsFlush = false
        channel.flush()
    }

    private func address(of path: PathID) -> SocketAddress? {
        if let known = addresses[path] { return known }
        guard let address = SocketAddress(path, family: family) else { return nil }
        if addresses.count == Self.mostAddresses { addresses.removeAll(keepingCapacity: true) }
        addresses[path] = address
        return address
    }

    package func close() { channel.close(promise: nil) }
}

private final class DatagramHandler: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>

    var received: (([UInt8], PathID) -> Void)?

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let envelope = unwrapInboundIn(data)
        guard let path = PathID(envelope.remoteAddress) else { return }
        received?(Array(buffer: envelope.data), path)
    }

    /// Ignores the error: it only means that a peer is unreachable, which the session's own timeout handles.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {}
}
