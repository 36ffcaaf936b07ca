internal import HelioCore
internal import HelioLoop
internal import HelioRTP
internal import HelioRTSPClient
internal import HelioTLS
internal import NIOCore
private import NIOPosix

/// A client's connection to another program's RTSP server: TCP, with TLS if the address is `rtsps`, and two UDP sockets
/// for each track whose media is sent over UDP.
///
/// Lives on one event loop. It may be opened again after it was closed; events of an earlier connection are then
/// ignored.
final class RTSPLink {
    private struct Sockets {
        var ports: DatagramPortPair
        /// The path to the server's RTP port; `nil` until the server has announced its ports.
        var rtpPath: PathID?
        var rtcpPath: PathID?
    }

    private static let connectTime: TimeAmount = .seconds(5)
    /// The maximum number of bytes queued for a server that does not read. An engine that counts queued bytes itself
    /// closes the connection earlier.
    private static let mostWaiting = 8 * 1024 * 1024

    private let address: RTSPAddress
    private let loop: any EventLoop
    /// The TLS settings; `nil` without TLS.
    private let tls: ServerTrust?
    private let happened: (RTSPLinkEvent) -> Void
    private var connection: (any Channel)?
    private var waiting = ByteBuffer()
    private var isWriting = false
    private var isShaken = false
    /// The number of the present connection, by which events of earlier connections are recognised.
    private var generation = 0
    private var sockets: [PlainTrack: Sockets] = [:]
    /// Closed sockets, kept until the next connection: they may have been closed while a batch of their own datagrams
    /// was being handled, whose remaining datagrams still refer to them.
    private var retired: [Sockets] = []

    /// - Parameter happened: called on the loop with each event.
    ///
    /// Throws `systemFailed` if TLS can't be set up.
    init(_ address: RTSPAddress, on loop: any EventLoop, happened: @escaping (RTSPLinkEvent) -> Void) throws(HelioError)
    {
        self.address = address
        self.loop = loop
        self.happened = happened
        tls = address.isSecure ? try ServerTrust(fingerprint: address.fingerprint) : nil
    }

    /// Executes an engine's command, except `.connect`: that is left to `connect`, whose failure the caller must
    /// report.
    func perform(_ command: RTSPLinkCommand) {
        switch command {
        case .connect: break
        case .send(let bytes): send(bytes)
        case .close: close()
        case .openPorts(let track): openPorts(track)
        case .aim(let track, let rtp, let rtcp): aim(track, rtp: rtp, rtcp: rtcp)
        case .datagram(let bytes, let channel, let track): send(bytes, channel, track)
        }
    }

    // MARK: The connection

    /// Opens a connection; `.connected` is reported before the future succeeds. If the future fails, no event is
    /// reported.
    func connect() -> EventLoopFuture<Void> {
        generation += 1
        isShaken = false
        retired = []
        let own = generation
        let bound = NIOLoopBound(self, eventLoop: loop)
        return ClientBootstrap(group: loop)
            .connectTimeout(Self.connectTime)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    ThinStream.prepare(channel)
                    let link = bound.value
                    if let tls = link.tls {
                        try channel.pipeline.syncOperations.addHandler(tls.handler(to: link.address.host))
                    }
                    try channel.pipeline.syncOperations.addHandler(
                        ByteStreamHandler(
                            // Bytes that are sent before the end of the TLS handshake are held back until then.
                            opened: { _ in bound.value.isShaken = true },
                            received: { bytes in bound.value.tell(.received(bytes), of: own) },
                            closed: { bound.value.closed($0, own) }))
                }
            }
            .connect(host: address.host, port: Int(address.port))
            .map { channel in bound.value.connected(channel, own) }
    }

    private func connected(_ channel: any Channel, _ own: Int) {
        guard own == generation else { return channel.close(promise: nil) }
        connection = channel
        isWriting = false
        happened(.connected)
    }

    private func closed(_ error: (any Error)?, _ own: Int) {
        guard own == generation else { return }
        connection = nil
        if !isShaken, let refusal = tls?.refusal(error) {
            happened(.refused(address.error(refusal, cause: error)))
        } else {
            happened(.disconnected)
        }
    }

    private func tell(_ event: RTSPLinkEvent, of own: Int) {
        if own == generation { happened(event) }
    }

    /// Queues bytes for the connection; `flush` sends them in one write. Closes the connection if more than
    /// `mostWaiting` bytes are queued, as the server does not read them.
    private func send(_ bytes: [UInt8]) {
        guard let connection else { return }
        waiting.writeBytes(bytes)
        guard waiting.readableBytes > Self.mostWaiting else { return }
        waiting.clear()
        connection.close(promise: nil)
    }

    func flush() {
        for open in sockets.values { open.ports.flush() }
        // A single write is pending at a time: while the server does not read, queued data then takes no more memory
        // than its bytes, instead of a buffer for each message.
        guard !isWriting, let connection, waiting.readableBytes > 0 else { return }
        let (bytes, own) = (waiting, generation)
        waiting = connection.allocator.buffer(capacity: 0)
        isWriting = true
        let bound = NIOLoopBound(self, eventLoop: loop)
        // A failed write closes the connection, which then reports its end.
        connection.writeAndFlush(bytes).whenSuccess { bound.value.wrote(bytes.readableBytes, own) }
    }

    private func wrote(_ count: Int, _ own: Int) {
        guard own == generation else { return }
        isWriting = false
        let bound = NIOLoopBound(self, eventLoop: loop)
        // The write is reported on the next event-loop tick, as it may complete while the engine's outputs are
        // executed.
        loop.execute { bound.value.tell(.written(count), of: own) }
        flush()
    }

    /// Sends the queued bytes, and closes the connection and the sockets; no more of their events are reported.
    func close() {
        for open in sockets.values { open.ports.flush() }
        if waiting.readableBytes > 0 { connection?.writeAndFlush(waiting, promise: nil) }
        waiting.clear()
        // The number changes first, as closing reports the connection's end at once, which is then ignored.
        generation += 1
        connection?.close(promise: nil)
        connection = nil
        for old in sockets.values {
            old.ports.close()
            retired.append(old)
        }
        sockets = [:]
    }

    // MARK: UDP

    /// Opens two UDP sockets on neighbouring ports.
    private func openPorts(_ track: PlainTrack) {
        guard let host = connection?.localAddress.flatMap({ PathID($0) }) else { return happened(.portsFailed) }
        let own = generation
        let bound = NIOLoopBound(self, eventLoop: loop)
        DatagramPortPair.bind(host: host.ip.family == .ipv6 ? "::" : "0.0.0.0", batch: 32, on: loop) {
            bound.value.hear($0, $1, track, from: $2)
        }.whenComplete { result in
            switch result {
            case .success(let pair): bound.value.opened(pair.value, track, own)
            case .failure: bound.value.tell(.portsFailed, of: own)
            }
        }
    }

    private func opened(_ pair: DatagramPortPair, _ track: PlainTrack, _ own: Int) {
        guard own == generation else { return pair.close() }
        sockets[track] = Sockets(ports: pair)
        happened(.portsOpen(rtp: pair.rtp.localPort, rtcp: pair.rtcp.localPort))
    }

    /// Passes on datagrams from the server's own address and ports; others are dropped before the engine.
    private func hear(_ bytes: [UInt8], _ channel: RTPChannel, _ track: PlainTrack, from path: PathID) {
        guard let sockets = sockets[track], path == (channel == .rtp ? sockets.rtpPath : sockets.rtcpPath) else {
            return
        }
        happened(bytes.count < DatagramPort.largestDatagram ? .datagram(bytes, channel, track) : .truncatedDatagram)
    }

    /// Sends a track's datagrams to these ports of the server, and accepts datagrams only from these ports.
    private func aim(_ track: PlainTrack, rtp: UInt16, rtcp: UInt16) {
        guard let host = connection?.remoteAddress.flatMap({ PathID($0) }), var aimed = sockets[track] else { return }
        aimed.rtpPath = host.with(port: rtp)
        aimed.rtcpPath = host.with(port: rtcp)
        sockets[track] = aimed
    }

    private func send(_ datagram: [UInt8], _ channel: RTPChannel, _ track: PlainTrack) {
        guard let sockets = sockets[track], let path = channel == .rtp ? sockets.rtpPath : sockets.rtcpPath else {
            return
        }
        sockets.ports[channel].send(datagram, to: path)
    }
}
