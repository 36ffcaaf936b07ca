package import HelioCore
private import HelioOpenSSL
package import HelioSession
package import NIOCore
private import NIOPosix

/// A viewer of another program's RTSP server: a TCP connection and, where media comes over UDP, two sockets, on one
/// event loop around one `RTSPPlayback` engine.
package final class RTSPPlaybackClient: Sendable {
    /// What a person and a decoder ask for in a second, many times over.
    private static let inputsWaiting = 1024

    private let loop: any EventLoop
    private let core: NIOLoopBound<PlaybackCore>
    private let inbox: EngineInbox<RTSPPlayback.Input>

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
        inbox = EngineInbox(capacity: Self.inputsWaiting, on: loop) { core.value.feed($0) }
    }

    /// Hands over the decoder's need of a keyframe. Any thread.
    package func submit(_ input: RTSPPlayback.Input) { _ = inbox.put(input) }

    package func statistics() async throws -> SinkSession.Statistics {
        var statistics = try await loop.submit { [core] in core.value.statistics }.get()
        if inbox.refused > 0 { statistics.drops["request-queue-full"] = inbox.refused }
        return statistics
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
        var ports: DatagramPortPair
        /// Of the server; `nil` until it has told its ports.
        var rtpPath: PathID?
        var rtcpPath: PathID?
    }

    private static let connectTime: TimeAmount = .seconds(5)

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
        sockets?.ports.flush()
    }

    private func perform(_ output: RTSPPlayback.Output) {
        switch output {
        case .send(let bytes): connection?.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
        case .close:
            connection?.close(promise: nil)
            closeSockets()
        case .reconnect: reconnect()
        case .openPorts: openPorts()
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

    private func openPorts() {
        guard let host = connection?.localAddress?.ipAddress else { return feed(.portsFailed) }
        let bound = NIOLoopBound(self, eventLoop: loop)
        DatagramPortPair.bind(host: host.contains(":") ? "::" : "0.0.0.0", batch: 32, on: loop) {
            bound.value.hear($0, $1, from: $2)
        }.whenComplete { result in
            switch result {
            case .success(let pair): bound.value.opened(pair.value)
            case .failure: bound.value.feed(.portsFailed)
            }
        }
    }

    private func opened(_ pair: DatagramPortPair) {
        guard !isStopped else { return pair.close() }
        sockets = Sockets(ports: pair)
        feed(.portsOpen(rtp: pair.rtp.localPort, rtcp: pair.rtcp.localPort))
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
        aimed.rtpPath = aimed.ports.rtp.path(to: media)
        aimed.rtcpPath = aimed.ports.rtcp.path(to: reports)
        sockets = aimed
    }

    private func send(_ bytes: [UInt8], _ channel: RTPChannel) {
        guard let sockets, let path = channel == .rtp ? sockets.rtpPath : sockets.rtcpPath else { return }
        sockets.ports[channel].send(bytes, to: path)
    }

    private func closeSockets() {
        guard let old = sockets else { return }
        flush()
        old.ports.close()
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
