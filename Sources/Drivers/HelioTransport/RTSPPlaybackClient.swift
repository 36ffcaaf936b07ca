package import HelioCore
private import HelioOpenSSL
package import HelioSession
package import NIOCore
private import NIOPosix

/// A viewer of another program's RTSP server: a TCP connection and, where media comes over UDP, two sockets, on one
/// event loop around one `RTSPPlayback` engine.
package final class RTSPPlaybackClient: Sendable {
    private let loop: any EventLoop
    private let core: NIOLoopBound<PlaybackCore>
    private let inputs = Mailbox<RTSPPlayback.Input>(capacity: 1024)

    /// Connects to the server and starts to play; what comes of it arrives as events.
    ///
    /// - Parameter onEvent: called on the event loop with each event; must not block.
    package static func connect(
        _ address: RTSPAddress, on loop: any EventLoop, onEvent: @escaping @Sendable (RTSPPlayback.Event) -> Void
    ) async throws(HelioError) -> RTSPPlaybackClient {
        do {
            return try await loop.flatSubmit { () -> EventLoopFuture<RTSPPlaybackClient> in
                let core = PlaybackCore(loop: loop, address: address, onEvent: onEvent)
                let bound = NIOLoopBound(core, eventLoop: loop)
                return core.connect().map { RTSPPlaybackClient(loop: loop, core: bound) }
            }.get()
        } catch {
            throw HelioError(
                .unreachable,
                "\(address.host):\(address.port) can't be reached: is the RTSP server running there, and is the port "
                    + "open?", cause: error)
        }
    }

    private init(loop: any EventLoop, core: NIOLoopBound<PlaybackCore>) {
        self.loop = loop
        self.core = core
    }

    /// Hands over the decoder's need of a keyframe. Any thread.
    package func submit(_ input: RTSPPlayback.Input) {
        if case .first = inputs.put(input) {
            loop.execute { [self] in
                for input in inputs.takeAll() { core.value.feed(input) }
            }
        }
    }

    package func statistics() async throws -> SinkSession.Statistics {
        try await loop.submit { [core] in core.value.statistics }.get()
    }

    /// Leaves the session and closes all sockets.
    package func stop() async {
        try? await loop.submit { [core] in core.value.stop() }.get()
    }
}

/// What lives on the loop.
private final class PlaybackCore {
    private let loop: any EventLoop
    private let address: RTSPAddress
    private let onEvent: (RTSPPlayback.Event) -> Void
    private var engine: EngineLoop<RTSPPlayback>?
    private var connection: (any Channel)?
    /// Counts connections: what the ones before say is not heard.
    private var generation = 0
    private var sockets: Sockets?
    /// Closed, perhaps from within a batch of their own datagrams, the rest of which must still find them.
    private var retired: [Sockets] = []
    private var isStopped = false

    private struct Sockets {
        var rtp: DatagramPort
        var rtcp: DatagramPort
        /// Of the server; `nil` until it has told its ports.
        var rtpPath: PathID?
        var rtcpPath: PathID?
    }

    private static let connectTime: TimeAmount = .seconds(5)
    /// How many pairs of ports are tried, until one is even and the next one free.
    private static let pairTries = 16

    init(loop: any EventLoop, address: RTSPAddress, onEvent: @escaping (RTSPPlayback.Event) -> Void) {
        self.loop = loop
        self.address = address
        self.onEvent = onEvent
    }

    func connect() -> EventLoopFuture<Void> {
        generation += 1
        let own = generation
        let bound = NIOLoopBound(self, eventLoop: loop)
        return ClientBootstrap(group: loop)
            .connectTimeout(Self.connectTime)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        ByteStreamHandler(
                            opened: { _ in },
                            received: { bytes in bound.value.hear(.received(bytes), from: own) },
                            closed: { _ in bound.value.hear(.disconnected, from: own) }))
                }
            }
            .connect(host: address.host, port: Int(address.port))
            .map { channel in bound.value.connected(channel, own) }
    }

    private func connected(_ channel: any Channel, _ own: Int) {
        guard own == generation, !isStopped else { return channel.close(promise: nil) }
        connection = channel
        if engine == nil {
            engine = EngineLoop(
                RTSPPlayback(address, crypto: OpenSSLCrypto(), random: SecureGenerator(), now: MonotonicClock.now),
                on: loop, perform: { [unowned self] in perform($0) }, settled: { [unowned self] in flush() })
        }
        feed(.connected)
    }

    private func hear(_ input: RTSPPlayback.Input, from own: Int) {
        if own == generation { feed(input) }
    }

    func feed(_ input: RTSPPlayback.Input) { engine?.feed(input) }

    var statistics: SinkSession.Statistics {
        engine?.read { $0.statistics } ?? SinkSession.Statistics()
    }

    private func flush() {
        sockets?.rtp.flush()
        sockets?.rtcp.flush()
    }

    private func perform(_ output: RTSPPlayback.Output) {
        switch output {
        case .send(let bytes): connection?.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
        case .close:
            connection?.close(promise: nil)
            closeSockets()
        case .reconnect: reconnect()
        case .openPorts: openPorts(tries: Self.pairTries)
        case .aim(let rtp, let rtcp): aim(rtp, rtcp)
        case .datagram(let bytes, let channel): send(bytes, channel)
        case .event(let event): onEvent(event)
        }
    }

    private func reconnect() {
        // First: closing tells of its end at once.
        generation += 1
        connection?.close(promise: nil)
        connection = nil
        closeSockets()
        let bound = NIOLoopBound(self, eventLoop: loop)
        let own = generation + 1
        connect().whenFailure { _ in bound.value.hear(.disconnected, from: own) }
    }

    // MARK: UDP

    /// RTP on an even port and RTCP on the next one: what old servers take for granted (RFC 3550 section 11).
    private func openPorts(tries: Int) {
        guard tries > 0, let host = connection?.localAddress?.ipAddress else { return feed(.portsFailed) }
        let any = host.contains(":") ? "::" : "0.0.0.0"
        let bound = NIOLoopBound(self, eventLoop: loop)
        bind(any, port: 0, .rtp).whenComplete { result in
            guard case .success(let rtp) = result else { return bound.value.feed(.portsFailed) }
            let port = Int(rtp.value.localPort)
            guard port.isMultiple(of: 2), port > 0 else {
                rtp.value.close()
                return bound.value.openPorts(tries: tries - 1)
            }
            bound.value.bind(any, port: port + 1, .rtcp).whenComplete { result in
                guard case .success(let rtcp) = result else {
                    rtp.value.close()
                    return bound.value.openPorts(tries: tries - 1)
                }
                bound.value.opened(rtp.value, rtcp.value)
            }
        }
    }

    private func bind(_ host: String, port: Int, _ channel: RTPChannel) -> EventLoopFuture<NIOLoopBound<DatagramPort>> {
        let bound = NIOLoopBound(self, eventLoop: loop)
        return DatagramPort.bind(host: host, port: port, batch: 32, on: loop) { bytes, path in
            bound.value.hear(bytes, channel, from: path)
        }
    }

    private func opened(_ rtp: DatagramPort, _ rtcp: DatagramPort) {
        guard !isStopped else {
            rtp.close()
            return rtcp.close()
        }
        sockets = Sockets(rtp: rtp, rtcp: rtcp)
        feed(.portsOpen(rtp: rtp.localPort, rtcp: rtcp.localPort))
    }

    /// Only the server's own address and ports are heard: anything else is dropped before the engine.
    private func hear(_ bytes: [UInt8], _ channel: RTPChannel, from path: PathID) {
        guard let sockets, path == (channel == .rtp ? sockets.rtpPath : sockets.rtcpPath) else { return }
        feed(bytes.count < DatagramPort.largestDatagram ? .datagram(bytes, channel) : .truncatedDatagram)
    }

    private func aim(_ rtp: UInt16, _ rtcp: UInt16) {
        guard let host = connection?.remoteAddress?.ipAddress,
            let media = try? SocketAddress(ipAddress: host, port: Int(rtp)),
            let reports = try? SocketAddress(ipAddress: host, port: Int(rtcp)), var aimed = sockets
        else { return }
        aimed.rtpPath = aimed.rtp.path(to: media)
        aimed.rtcpPath = aimed.rtcp.path(to: reports)
        sockets = aimed
    }

    private func send(_ bytes: [UInt8], _ channel: RTPChannel) {
        guard let sockets, let path = channel == .rtp ? sockets.rtpPath : sockets.rtcpPath else { return }
        (channel == .rtp ? sockets.rtp : sockets.rtcp).send(bytes, to: path)
    }

    private func closeSockets() {
        guard let old = sockets else { return }
        flush()
        old.rtp.close()
        old.rtcp.close()
        retired.append(old)
        sockets = nil
    }

    func stop() {
        isStopped = true
        engine?.update { session, now in session.leave(now: now) }
        engine?.stop()
        connection?.close(promise: nil)
        closeSockets()
    }
}
