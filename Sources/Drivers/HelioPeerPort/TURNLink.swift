internal import HelioCore
private import HelioLoop
internal import HelioPeer
private import HelioTLS
internal import NIOCore
private import NIOPosix

/// A socket or connection between one peer's engine and one TURN server.
final class TURNLink: PortFlushable {
    private static let connectTimeout = TimeAmount.seconds(10)

    private let server: TransportAddress
    private let isTCP: Bool
    private let tls: TURNTrust.Server?
    private let maximumWaiting: Int
    private let tell: (RelayEvent) -> Void
    private let settled: () -> Void
    private var channel: (any Channel)?
    private var writer: StreamWriter?
    private var isClosed = false
    private var isUntrusted = false

    /// - Parameters:
    ///   - tls: the server's identity for TLS; `nil` to connect without TLS.
    ///   - tell: called with each event; never from within `open`.
    ///   - settled: called when all events of one wake-up have been reported.
    init(
        _ server: TransportAddress, isTCP: Bool, tls: TURNTrust.Server?, maximumWaiting: Int,
        tell: @escaping (RelayEvent) -> Void,
        settled: @escaping () -> Void
    ) {
        self.server = server
        self.isTCP = isTCP
        self.tls = tls
        self.maximumWaiting = maximumWaiting
        self.tell = tell
        self.settled = settled
    }

    func open(on loop: any EventLoop) {
        let bound = NIOLoopBound(self, eventLoop: loop)
        let opening: EventLoopFuture<any Channel>
        if let tls {
            opening = tls.handler(on: loop).flatMap { handler in
                bound.value.connect(on: loop, by: handler.value)
            }
        } else if isTCP {
            opening = connect(on: loop, by: nil)
        } else {
            let any: IPAddress = server.family == .ipv4 ? .v4(0) : .v6(high: 0, low: 0)
            opening = DatagramBootstrap(group: loop)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let link = bound.value
                        try channel.pipeline.syncOperations.addHandler(
                            TURNDatagramHandler(
                                server: link.server, received: { [weak link] in link?.received($0) },
                                settled: { [weak link] in link?.settled() }))
                    }
                }
                .bind(to: TransportAddress(any, port: 0).socketAddress)
        }
        opening.whenComplete { result in bound.value.opened(result) }
    }

    private func connect(on loop: any EventLoop, by tls: TLSHandler?) -> EventLoopFuture<any Channel> {
        let bound = NIOLoopBound((self, tls), eventLoop: loop)
        return ClientBootstrap(group: loop)
            .connectTimeout(Self.connectTimeout)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let (link, tls) = bound.value
                    // The TLS handler queues data that is written before the handshake is over.
                    if let tls { try channel.pipeline.syncOperations.addHandler(tls) }
                    try channel.pipeline.syncOperations.addHandler(
                        PeerStreamHandler(
                            received: { [weak link] in link?.received($0) },
                            settled: { [weak link] in link?.settled() }, closed: { [weak link] in link?.ended() },
                            failed: { [weak link] in
                                if case .certificateRefused = $0 as? TLSError { link?.isUntrusted = true }
                            }))
                }
            }
            .connect(to: server.socketAddress)
    }

    private func opened(_ result: Result<any Channel, any Error>) {
        switch result {
        case .success(let channel):
            guard !isClosed else { return channel.close(promise: nil) }
            self.channel = channel
            if isTCP { writer = StreamWriter(channel, maximumWaiting: maximumWaiting) }
            tell(.connected)
            settled()
        case .failure: ended()
        }
    }

    private func received(_ bytes: [UInt8]) {
        if !isClosed { tell(.received(bytes)) }
    }

    private func ended() {
        guard !isClosed else { return }
        isClosed = true
        tell(isUntrusted ? .untrusted : .disconnected)
        settled()
    }

    /// - Returns: `false` if there is no room, or no connection.
    func send(_ bytes: [UInt8]) -> Bool {
        if let writer { return writer.append(bytes, isFramed: false) }
        guard let channel, channel.isWritable else { return false }
        var buffer = channel.allocator.buffer(capacity: bytes.count)
        buffer.writeBytes(bytes)
        channel.write(AddressedEnvelope(remoteAddress: server.socketAddress, data: buffer), promise: nil)
        return true
    }

    func flush() {
        if let writer { writer.flush() } else { channel?.flush() }
    }

    /// Closes the link: no more events are reported.
    func close() {
        isClosed = true
        flush()
        channel?.close(promise: nil)
    }
}

private final class TURNDatagramHandler: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>

    private let server: TransportAddress
    private let received: ([UInt8]) -> Void
    private let settled: () -> Void

    init(server: TransportAddress, received: @escaping ([UInt8]) -> Void, settled: @escaping () -> Void) {
        self.server = server
        self.received = received
        self.settled = settled
    }

    /// Passes on a datagram from the server; drops datagrams from other addresses.
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let envelope = unwrapInboundIn(data)
        guard let from = TransportAddress(envelope.remoteAddress, .udp), from.ip == server.ip, from.port == server.port
        else { return }
        received(Array(buffer: envelope.data))
    }

    func channelReadComplete(context: ChannelHandlerContext) { settled() }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {}
}
