internal import HelioCore
internal import HelioGround
internal import HelioLoop
internal import HelioRendezvous
internal import HelioSignaling
internal import HelioTLS
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOWebSocket

/// The state of a `RendezvousService` on its event loop: the listener, the connections and the engine.
final class ServiceCore {
    let settings: RendezvousServiceSettings
    let loop: any EventLoop
    /// The number of the current tick. Connections count their time in ticks, so that none has a timer of its own.
    private(set) var ticks: UInt64 = 0
    let requestTicks: UInt64
    let pingTicks: UInt64
    let closeTicks: UInt64
    let names: ServerNames
    let page: PageFolder
    private var pageBudget = PageBudget()
    var engine: EngineLoop<RendezvousServer>?
    var storeWorker: StoreWorker?
    var bus: (any BusLink)?
    private(set) var statistics = RendezvousServiceStatistics()
    private let certificates: CertificateWatch?
    private let upgrader: NIOWebSocketServerUpgrader
    let report: (RendezvousServiceNews) -> Void
    private var listener: (any Channel)?
    private var timer: RepeatedTask?
    private var requests: [ConnectionID: RequestHandler] = [:]
    private(set) var sockets: [ConnectionID: DeviceSocket] = [:]
    private var nextID: UInt64 = 0
    private var drops = DropCounter<RendezvousServiceDrop>()
    private var ended: EventLoopPromise<Void>?

    /// Reads the certificate. Throws `systemFailed` if it can't be used.
    ///
    /// - Parameter report: called on the loop with what an operator has to know.
    init(
        _ settings: RendezvousServiceSettings, on loop: any EventLoop,
        report: @escaping (RendezvousServiceNews) -> Void
    ) throws(HelioError) {
        self.settings = settings
        self.loop = loop
        self.report = report
        certificates = if let files = settings.certificate { try CertificateWatch(files) } else { nil }
        names = ServerNames(settings.names)
        page = PageFolder(settings.page)
        let ticks = { (duration: Duration) in UInt64(max(1, (duration / settings.tick).rounded(.up))) }
        requestTicks = ticks(settings.requestTimeout)
        pingTicks = ticks(settings.pingInterval)
        closeTicks = ticks(settings.closeTimeout)
        // The upgrader only builds the response; `answer` decides which requests may upgrade.
        upgrader = NIOWebSocketServerUpgrader(
            shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture([:]) },
            upgradePipelineHandler: { channel, _ in channel.eventLoop.makeSucceededVoidFuture() })
    }

    // MARK: Connections

    /// - Returns: the port that the service listens on.
    func listen() -> EventLoopFuture<Int> {
        let bound = NIOLoopBound(self, eventLoop: loop)
        return StreamListener.bind(
            host: settings.address, port: settings.port, on: loop, backlog: 1024,
            limit: PageAcceptLimit(strangers: settings.strangers, proxies: settings.proxies),
            limited: { bound.value.drop($0 == .refused ? .tooOften : .acceptingPaused) },
            accept: { try bound.value.accept($0) }
        )
        .map { channel in
            let core = bound.value
            core.listener = channel
            core.startTicking()
            return channel.localAddress?.port ?? core.settings.port
        }
    }

    private func accept(_ channel: any Channel) throws {
        guard ended == nil else { return channel.close(promise: nil) }
        guard requests.count + sockets.count < settings.maximumConnections else {
            drop(.tooManyConnections)
            return channel.close(promise: nil)
        }
        let peer = channel.remoteAddress.flatMap { PathID($0)?.ip.unmapped }
        let isProxy = peer.map { settings.proxies.contains($0) } ?? false
        var handlers: [any ChannelHandler] = []
        if let certificates {
            guard isProxy || mayBegin(peer) else {
                drop(.tooFast)
                return channel.close(promise: nil)
            }
            handlers.append(try certificates.context.handler())
        }
        try channel.syncOptions?.setOption(
            .recvAllocator,
            value: AdaptiveRecvByteBufferAllocator(
                minimum: settings.receiveBuffer, initial: settings.receiveBuffer,
                maximum: settings.largestReceiveBuffer))
        nextID += 1
        let handler = RequestHandler(ConnectionID(nextID), from: peer, self)
        requests[handler.id] = handler
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = 8 << 10
        limits.maxHeaderListSize = 16 << 10
        limits.maxHeaderFieldCount = 64
        handlers += [
            HTTPResponseEncoder(),
            ByteToMessageHandler(
                HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes, limitConfiguration: limits),
                // The buffer holds the bytes that follow a request for a WebSocket, until the upgrade.
                maximumBufferSize: 2 * settings.maximumMessage),
            handler,
        ]
        try channel.pipeline.syncOperations.addHandlers(handlers)
    }

    /// Returns true if one more handshake or WebSocket may begin, and counts it.
    func mayBegin(_ address: IPAddress?) -> Bool {
        settings.strangers.mayBegin(address?.description ?? "unknown", now: MonotonicClock.now)
    }

    /// Returns true if an answer of `bytes` bytes of the page is within a browser's budget, and counts the answer.
    func mayAnswer(_ bytes: Int, to address: IPAddress?) -> Bool {
        pageBudget.take(bytes, address?.origin, now: MonotonicClock.now)
    }

    /// Upgrades a connection to a WebSocket: sends the response, and replaces the handlers of HTTP by those of RFC
    /// 6455.
    func upgrade(
        _ handler: RequestHandler, _ request: HTTPRequestHead, _ forwarded: ForwardedRequest?,
        _ context: ChannelHandlerContext
    ) {
        guard let authority = authority(of: request, forwarded) else { return context.close(promise: nil) }
        let address = forwarded?.client ?? handler.peer ?? .v4(0)
        upgrader.buildUpgradeResponse(
            channel: context.channel, upgradeRequest: request, initialResponseHeaders: [:]
        ).assumeIsolated().whenComplete { [self] result in
            do {
                let head = HTTPResponseHead(version: .http1_1, status: .switchingProtocols, headers: try result.get())
                context.writeAndFlush(NIOAny(HTTPServerResponsePart.head(head)), promise: nil)
                try replace(handler, in: context.pipeline)
                engine?.feed(.opened(handler.id, address, authority: authority))
            } catch {
                drop(.badUpgrade)
                context.close(promise: nil)
            }
        }
    }

    private func replace(_ handler: RequestHandler, in pipeline: ChannelPipeline) throws {
        let operations = pipeline.syncOperations
        let encoder = try operations.context(handlerType: HTTPResponseEncoder.self)
        let decoder = try operations.context(handlerType: ByteToMessageHandler<HTTPRequestDecoder>.self)
        let socket = DeviceSocket(handler.id, self)
        try operations.addHandlers([
            WebSocketFrameEncoder(),
            ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: settings.maximumMessage)),
            socket,
        ])
        requests[handler.id] = nil
        sockets[socket.id] = socket
        statistics.opened += 1
        operations.removeHandler(context: encoder, promise: nil)
        operations.removeHandler(handler, promise: nil)
        // Once the decoder is removed, the bytes after the request are passed on to the new handlers.
        operations.removeHandler(context: decoder, promise: nil)
    }

    func ended(_ handler: RequestHandler) {
        requests[handler.id] = nil
        endIfEmpty()
    }

    func received(_ message: [UInt8], from socket: DeviceSocket) {
        statistics.framesReceived += 1
        engine?.feed(.received(socket.id, message))
    }

    func closed(_ socket: DeviceSocket) {
        guard sockets.removeValue(forKey: socket.id) != nil else { return }
        engine?.feed(.closed(socket.id))
        endIfEmpty()
    }

    func waits(_ socket: DeviceSocket, bytes: Int) { engine?.feed(.waiting(socket.id, bytes: bytes)) }

    func send(_ bytes: [UInt8], to id: ConnectionID) {
        guard let socket = sockets[id] else { return }
        statistics.framesSent += 1
        socket.send(bytes)
    }

    /// Resets a connection.
    func abort(_ context: ChannelHandlerContext?) { if let context { SocketEnd.abort(context.channel) } }

    // MARK: Time

    private func startTicking() {
        let interval = TimeAmount.nanoseconds(settings.tick.nanoseconds)
        let bound = NIOLoopBound(self, eventLoop: loop)
        timer = loop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { _ in bound.value.tick() }
    }

    private func tick() {
        ticks += 1
        // Copies, as connections may end meanwhile.
        for handler in Array(requests.values) { handler.tick() }
        for socket in Array(sockets.values) { socket.tick() }
        let every = UInt64(max(1, settings.certificateInterval / settings.tick))
        if ticks % every == 0 { refreshCertificate() }
    }

    private func refreshCertificate() {
        guard let certificates else { return }
        do throws(HelioError) {
            if try certificates.refresh() { report(.certificateChanged) }
        } catch {
            drop(.certificateUnreadable)
            report(.certificateUnreadable(error.message))
        }
    }

    // MARK: Statistics

    func drop(_ reason: RendezvousServiceDrop, _ count: Int = 1) { drops.count(reason, count) }

    func answered(_ refusal: RendezvousServiceDrop?) {
        statistics.requests += 1
        if let refusal { drop(refusal) }
    }

    var currentStatistics: RendezvousServiceStatistics {
        takeFromBus(most: 0)
        var all = statistics
        all.bus = bus?.statistics
        all.connections = requests.count + sockets.count
        all.devices = sockets.count
        if let engine = engine?.read({ $0.statistics }) { all.add(engine) }
        all.drops.add(drops)
        return all
    }

    // MARK: Stopping

    /// Asks all devices to leave; the engine closes what is left after `drainTime`.
    func stop() -> EventLoopFuture<Void> {
        if let ended { return ended.futureResult }
        let ended = loop.makePromise(of: Void.self)
        self.ended = ended
        listener?.close(promise: nil)
        for handler in Array(requests.values) { handler.stop() }
        engine?.feed(.drain)
        endIfEmpty()
        let stopped = ended.futureResult
        stopped.assumeIsolated().whenComplete { [self] _ in
            timer?.cancel()
            engine?.stop()
        }
        return stopped
    }

    private func endIfEmpty() {
        if requests.isEmpty, sockets.isEmpty { ended?.succeed() }
    }
}
