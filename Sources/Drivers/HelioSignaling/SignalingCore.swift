internal import HelioCore
internal import HelioGround
internal import HelioLoop
internal import HelioStores
private import HelioTLS
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOWebSocket

#if canImport(Darwin)
private import Darwin
#else
private import Glibc
#endif

/// The state of a `LocalSignalingService` on its event loop: the listener and the connections.
final class SignalingCore {
    let settings: LocalSignalingSettings
    private let plainSite: PageSite
    private let secureSite: PageSite
    var statistics = SignalingStatistics()
    private let loop: any EventLoop
    private let tls: TLSServerContext?
    private let receiver: (SignalingEvent) -> Void
    private let upgrader: NIOWebSocketServerUpgrader
    private var listener: (any Channel)?
    private var connections: [UInt64: LocalConnection] = [:]
    private var nextID: UInt64 = 0
    private var drops = DropCounter<SignalingDrop>()
    private var budget = PageBudget()
    private var ended: EventLoopPromise<Void>?

    init(
        _ settings: LocalSignalingSettings, on loop: any EventLoop, receiver: @escaping (SignalingEvent) -> Void
    ) throws(HelioError) {
        self.settings = settings
        self.loop = loop
        self.receiver = receiver
        tls = if let identity = settings.identity { try TLSServerContext(identity.key) } else { nil }
        let names = HostNames(settings.names, allowed: settings.allowedNames)
        plainSite = PageSite(files: settings.files, names: names, isSecure: false)
        secureSite = PageSite(files: settings.files, names: names, isSecure: true)
        // The upgrader only builds the response; `PageSite` decides which requests may upgrade.
        upgrader = NIOWebSocketServerUpgrader(
            shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture([:]) },
            upgradePipelineHandler: { channel, _ in channel.eventLoop.makeSucceededVoidFuture() })
    }

    // MARK: Admission

    /// - Returns: the port that the service listens on.
    func listen() -> EventLoopFuture<Int> {
        switch settings.port {
        case .exactly(let port): listen(on: port)
        case .preferably(let port):
            listen(on: port).flatMapError { [bound = NIOLoopBound(self, eventLoop: loop)] error in
                guard let code = (error as? IOError)?.errnoCode, code == EADDRINUSE || code == EACCES else {
                    return bound.value.loop.makeFailedFuture(error)
                }
                return bound.value.listen(on: 0)
            }
        }
    }

    private func listen(on port: Int) -> EventLoopFuture<Int> {
        let bound = NIOLoopBound(self, eventLoop: loop)
        return StreamListener.bind(
            host: settings.address, port: port, on: loop,
            limit: PageAcceptLimit(strangers: settings.strangers, proxies: settings.proxies),
            limited: { bound.value.drop($0 == .refused ? .tooOften : .acceptingPaused) },
            accept: { try bound.value.accept($0) }
        )
        .map { channel in
            bound.value.listener = channel
            return channel.localAddress?.port ?? port
        }
    }

    private func accept(_ channel: any Channel) throws {
        guard ended == nil else { return channel.close(promise: nil) }
        if connections.count >= settings.maximumConnections, !makeRoom() {
            drop(.tooManyConnections)
            return channel.close(promise: nil)
        }
        nextID += 1
        let connection = LocalConnection(id: nextID, channel)
        connections[connection.id] = connection
        channel.closeFuture.assumeIsolated().whenComplete { [self] _ in closed(connection) }
        connection.limit(settings.requestTimeout) { [self] in drop(.slowRequest) }

        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(connection.socketEnd)
        try pipeline.addHandler(
            FirstByteHandler { [self] kind, operations, first in
                if kind == .media, let takesMedia = settings.takesMedia {
                    forget(connection)
                    return try takesMedia(channel)
                }
                try serve(connection, byTLS: kind == .tls || !settings.servesHTTP, operations, behind: first)
            })
    }

    /// Hands a connection over to another owner, which counts and limits its connections itself.
    private func forget(_ connection: LocalConnection) {
        connection.unlimit()
        connections[connection.id] = nil
        if connections.isEmpty { ended?.succeed() }
    }

    /// Adds the handlers for HTTP to a connection, with TLS if `byTLS` is true and there is an identity.
    private func serve(
        _ connection: LocalConnection, byTLS: Bool, _ pipeline: ChannelPipeline.SynchronousOperations,
        behind first: FirstByteHandler
    ) throws {
        var handlers: [any ChannelHandler] = []
        if let tls, byTLS {
            guard mayBegin(connection) else {
                drop(.tooFast)
                return connection.closeAtOnce()
            }
            connection.isSecure = true
            handlers.append(try tls.handler())
        }
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
            PageHandler(self, connection),
        ]
        try pipeline.addHandlers(handlers, position: .after(first))
    }

    /// Reads a proxy's headers about a request; `nil` if the connection is not one of a trusted proxy.
    func forwarded(_ request: HTTPRequestHead, by connection: LocalConnection) -> ForwardedRequest? {
        ForwardedRequest(request.headers, from: connection.peer, proxies: settings.proxies)
    }

    /// Returns true if a connection may begin a TLS handshake or a WebSocket, and counts the attempt.
    func mayBegin(_ connection: LocalConnection) -> Bool {
        settings.strangers.mayBegin(connection.remoteAddress, now: MonotonicClock.now)
    }

    /// Returns true if an answer of `bytes` bytes is within the client's `PageBudget`, and counts the answer.
    func mayAnswer(_ bytes: Int, to connection: LocalConnection) -> Bool {
        budget.take(bytes, connection.origin, now: MonotonicClock.now)
    }

    /// The site for a connection: the secure or the plain one.
    func site(for connection: LocalConnection) -> PageSite { connection.isSecure ? secureSite : plainSite }

    /// Evicts the oldest connection that is not admitted, of the origin with the most of these: so a client that opens
    /// many connections loses its own. Returns false if all connections are admitted.
    private func makeRoom() -> Bool {
        let strangers = connections.values.filter { !$0.isAdmitted }
        let crowds = Dictionary(grouping: strangers, by: \.origin).values
        guard let crowd = crowds.max(by: { $0.count < $1.count }), let oldest = crowd.min(by: { $0.id < $1.id })
        else { return false }
        drop(.madeRoom)
        connections[oldest.id] = nil
        oldest.closeAtOnce()
        return true
    }

    /// Upgrades a connection to a WebSocket: sends the response, and replaces the handlers of HTTP by those of RFC
    /// 6455.
    func upgrade(
        _ connection: LocalConnection, _ request: HTTPRequestHead, _ context: ChannelHandlerContext,
        instead handler: PageHandler
    ) {
        upgrader.buildUpgradeResponse(
            channel: context.channel, upgradeRequest: request, initialResponseHeaders: [:]
        ).assumeIsolated().whenComplete { [self] result in
            do {
                let head = HTTPResponseHead(version: .http1_1, status: .switchingProtocols, headers: try result.get())
                context.writeAndFlush(NIOAny(HTTPServerResponsePart.head(head)), promise: nil)
                try replace(handler, by: WebSocketHandler(self, connection), of: connection, in: context.pipeline)
            } catch {
                drop(.badUpgrade)
                context.close(promise: nil)
            }
        }
    }

    private func replace(
        _ old: PageHandler, by new: WebSocketHandler, of connection: LocalConnection, in pipeline: ChannelPipeline
    ) throws {
        let operations = pipeline.syncOperations
        let encoder = try operations.context(handlerType: HTTPResponseEncoder.self)
        let decoder = try operations.context(handlerType: ByteToMessageHandler<HTTPRequestDecoder>.self)
        try operations.addHandlers([
            WebSocketFrameEncoder(),
            ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: settings.maximumMessage)),
            new,
        ])
        connection.become(new)
        operations.removeHandler(context: encoder, promise: nil)
        operations.removeHandler(old, promise: nil)
        // Once the decoder is removed, the bytes after the request are passed on to the new handlers.
        operations.removeHandler(context: decoder, promise: nil)
        connection.isOpened = true
        tell(.opened(connection))
    }

    private func closed(_ connection: LocalConnection) {
        connection.unlimit()
        if connection.isOpened { tell(.closed(connection)) }
        // A connection that was evicted or handed over was removed before.
        guard connections.removeValue(forKey: connection.id) != nil else { return }
        if connections.isEmpty { ended?.succeed() }
    }

    // MARK: Events and statistics

    func tell(_ event: SignalingEvent) { receiver(event) }

    func drop(_ reason: SignalingDrop) { drops.count(reason) }

    func answered(_ refusal: SignalingDrop?) {
        statistics.requests += 1
        if let refusal { drop(refusal) }
    }

    /// Handles the error that ends a connection. It may be reported more than once, but is counted once. A peer that
    /// closes the connection is not counted as a drop.
    func failed(_ error: any Error, of connection: LocalConnection) {
        if connection.hasFailed { return }
        connection.hasFailed = true
        switch error {
        case TLSError.truncated, TLSError.endedEarly: break
        case is TLSError: drop(.tlsFailed)
        case is ByteToMessageDecoderError.PayloadTooLargeError: drop(.oversizedMessage)
        default: break
        }
    }

    var currentStatistics: SignalingStatistics {
        var statistics = statistics
        statistics.connections = connections.count
        statistics.talking = connections.values.count { $0.isOpened }
        statistics.drops = drops.byName
        return statistics
    }

    // MARK: Stopping

    /// Closes all connections: WebSockets with a close frame and a short wait for the client's answer, others at once.
    func stop() -> EventLoopFuture<Void> {
        if let ended { return ended.futureResult }
        let ended = loop.makePromise(of: Void.self)
        self.ended = ended
        listener?.close(promise: nil)
        if connections.isEmpty { ended.succeed() }
        for connection in connections.values {
            if let webSocket = connection.webSocket {
                webSocket.close(.goingAway, reason: "")
            } else {
                connection.closeAtOnce()
            }
        }
        return ended.futureResult
    }
}
