package import HelioCore
internal import HelioGround
internal import HelioLoop
internal import HelioOpenSSL
package import HelioRendezvous
internal import HelioRendezvousWire
internal import HelioTLS
package import NIOCore
internal import NIOHTTP1
internal import NIOPosix

/// A device's connection to a rendezvous server: a WebSocket around a `RendezvousClient`, which connects again by
/// itself after each loss. Lives on one event loop.
package final class RendezvousConnection {
    /// The first byte of a frame with a datagram.
    private static let datagram = ClientFrame.data(CallNumber(0), []).serialised().first

    private let place: RendezvousPlace
    private let settings: RendezvousPortSettings
    private let loop: any EventLoop
    private let onEvent: (RendezvousClient.Event) -> Void
    private let signer: (any DeviceSigner)?
    private var engine: EngineLoop<RendezvousClient>?
    /// The check of the server's certificate; `nil` until the first connection.
    private var trust: ServerTrust?
    /// The network's HTTP proxy by which the last connection goes; `nil` without.
    private var proxy: HTTPProxy?
    /// The number of the current connection, by which events of earlier ones are recognised.
    private var generation = 0
    /// The ends of the channels that try the server's addresses, at times several at once; once one is connected, its
    /// end alone.
    private var ends: [ObjectIdentifier: SocketEnd] = [:]
    private var frames: FrameHandler?
    private var limit: Scheduled<Void>?
    private var drops = DropCounter<RendezvousPortDrop>()
    private var isStopped = false
    /// The server's address at the last connection; `nil` before the first, and behind a proxy.
    private var address: IPAddress?

    /// True if the server is on this machine or its networks: its address is not public.
    package var isNear: Bool {
        (address ?? IPAddress(place.host)).map { !$0.isGlobal } ?? place.isOnThisMachine
    }

    /// The reason why the last connection could not be made or was lost; `nil` while there is one, and before the
    /// first.
    package private(set) var failure: HelioError?

    /// - Parameters:
    ///   - signer: the device's key, with which it registers; `nil` for a device that only rings others.
    ///   - onEvent: called on the loop with each event of the engine. It may call `feed`.
    package init(
        _ place: RendezvousPlace, signer: (any DeviceSigner)?, settings: RendezvousPortSettings, on loop: any EventLoop,
        onEvent: @escaping (RendezvousClient.Event) -> Void
    ) {
        self.place = place
        self.signer = signer
        self.settings = settings
        self.loop = loop
        self.onEvent = onEvent
    }

    package convenience init(
        _ place: RendezvousPlace, signer: (any DeviceSigner)?, on loop: any EventLoop,
        onEvent: @escaping (RendezvousClient.Event) -> Void
    ) {
        self.init(place, signer: signer, settings: RendezvousPortSettings(), on: loop, onEvent: onEvent)
    }

    /// Connects. Called once, on the loop.
    package func start() {
        loop.preconditionInEventLoop()
        guard engine == nil, !isStopped else { return }
        var generator = SecureGenerator()
        let engine = EngineLoop(
            RendezvousClient(
                RendezvousClient.Settings(authority: place.authority, registers: signer != nil), signer: signer,
                seed: generator.next(), now: MonotonicClock.now),
            on: loop, perform: { [weak self] in self?.perform($0) }, settled: {})
        self.engine = engine
        // The first tick connects.
        engine.update { client, now in client.tick(now: now) }
    }

    /// Hands an input to the engine; called on the loop.
    package func feed(_ input: RendezvousClient.Input) { engine?.feed(input) }

    /// Closes the connection; no event follows. Called on the loop.
    package func stop() {
        loop.preconditionInEventLoop()
        if isStopped { return }
        isStopped = true
        engine?.stop()
        closeSocket()
    }

    /// Counts of drops by name.
    package var allDrops: [String: Int] { .sum(drops, engine?.read { $0.drops }) }

    private func perform(_ output: RendezvousClient.Output) {
        switch output {
        case .connect: connect()
        case .close: closeSocket()
        case .send(let bytes): send(bytes)
        case .event(let event): onEvent(event)
        }
    }

    private func send(_ bytes: [UInt8]) {
        guard let frames else { return drops.count(.notConnected) }
        if !frames.send(bytes, isDatagram: bytes.first == Self.datagram) { drops.count(.dataWaiting) }
    }
}

// MARK: The socket

extension RendezvousConnection {
    private func connect() {
        closeSocket()
        let own = generation
        let bound = NIOLoopBound(self, eventLoop: loop)
        let proxy: HTTPProxy?
        do {
            proxy = try HTTPProxy.find(for: place.host, settings.variable)
        } catch {
            // The engine has just asked for the connection, and takes its end only afterwards.
            return loop.execute { bound.value.ended(own, error) }
        }
        self.proxy = proxy
        ClientBootstrap(group: loop)
            .connectTimeout(.nanoseconds(settings.connectTimeout.nanoseconds))
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelOption(.socketOption(.so_keepalive), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try bound.value.prepare(channel, own) }
            }
            .connect(host: proxy?.host ?? place.host, port: Int(proxy?.port ?? place.port))
            .whenComplete { result in
                switch result {
                case .success(let channel): bound.value.connected(channel, own)
                // A connection that was made reports its end by itself.
                case .failure(let error): bound.value.ended(own, error)
                }
            }
    }

    /// Lets the first channel that is connected be the connection. The others, which are being closed, have no say.
    private func connected(_ channel: any Channel, _ own: Int) {
        let id = ObjectIdentifier(channel)
        guard own == generation, let end = ends[id] else { return }
        ends = [id: end]
        address = proxy == nil ? channel.remoteAddress.flatMap { TransportAddress($0, .tcp)?.ip } : nil
        limit = loop.assumeIsolated().scheduleTask(in: .nanoseconds(settings.openingTimeout.nanoseconds)) { [self] in
            guard own == generation, frames == nil else { return }
            drops.count(.slowAnswer)
            end.close()
        }
    }

    /// Prepares a channel; called for each of the server's addresses that is tried.
    private func prepare(_ channel: any Channel, _ own: Int) throws {
        guard own == generation else { throw ChannelError.ioOnClosedChannel }
        ThinStream.prepare(channel)
        let (end, id) = (SocketEnd(), ObjectIdentifier(channel))
        var handlers: [any ChannelHandler] = [end]
        if let proxy {
            handlers.append(ProxyOpening(proxy, server: place.authority) { [self] in try makeHandlers(own, end) })
        } else {
            handlers += try makeHandlers(own, end)
        }
        handlers.append(ConnectionEnd { [self] in if ends[id] != nil { ended(own, $0) } })
        try channel.pipeline.syncOperations.addHandlers(handlers)
        ends[id] = end
    }

    /// Makes the handlers of the connection to the server, from TLS to the WebSocket's opening.
    private func makeHandlers(_ own: Int, _ end: SocketEnd) throws -> [any ChannelHandler] {
        var handlers: [any ChannelHandler] = []
        if place.isSecure {
            let trust = try self.trust ?? ServerTrust(fingerprint: place.fingerprint)
            self.trust = trust
            handlers.append(try trust.handler(to: place.host))
        }
        return handlers + [
            HTTPRequestEncoder(),
            ByteToMessageHandler(HTTPResponseDecoder(leftOverBytesStrategy: .forwardBytes)),
            WebSocketOpening(place, longestFrame: RendezvousLimits.frame) { [self] in opened(own, end) },
        ]
    }

    /// Makes the handler of the WebSocket's frames, which tells the engine once it is in place.
    private func opened(_ own: Int, _ end: SocketEnd) -> FrameHandler {
        let handler = FrameHandler(
            settings, longestMessage: RendezvousLimits.frame,
            ready: { [self] in if own == generation { engine?.feed(.connected) } },
            received: { [self] bytes in if own == generation { engine?.feed(.received(bytes)) } },
            failed: { [self] drop in
                guard own == generation else { return }
                drops.count(drop)
                end.abort()
            })
        guard own == generation else { return handler }
        limit?.cancel()
        limit = nil
        failure = nil
        frames = handler
        return handler
    }

    private func ended(_ own: Int, _ error: (any Error)?) {
        guard own == generation else { return }
        generation += 1
        let wasOpen = frames != nil
        frames = nil
        ends = [:]
        limit?.cancel()
        limit = nil
        failure = explanation(error, wasOpen: wasOpen)
        if !wasOpen {
            switch error {
            case is WebSocketOpening.Refused: drops.count(.notRendezvous)
            case is ProxyOpening.Refused: drops.count(.proxyRefused)
            default: drops.count(.notReached)
            }
        }
        engine?.feed(.disconnected)
    }

    /// Ends the connection, which reports nothing any more: with a close frame if it is open, and at once if the server
    /// does not answer in time.
    private func closeSocket() {
        generation += 1
        limit?.cancel()
        limit = nil
        let (ends, frames) = (self.ends.values, self.frames)
        (self.ends, self.frames) = ([:], nil)
        guard let frames else {
            for end in ends { end.close() }
            return
        }
        frames.close()
        loop.assumeIsolated().scheduleTask(in: .nanoseconds(settings.closeTimeout.nanoseconds)) {
            for end in ends { end.abort() }
        }
    }

    private func explanation(_ error: (any Error)?, wasOpen: Bool) -> HelioError {
        let server = "The rendezvous server at \(place.url)"
        switch trust?.refusal(error) {
        case .untrusted:
            return HelioError(
                .refused,
                "\(server) shows a certificate that no authority has signed for it: give its fingerprint behind # if "
                    + "it is of its own making.", reason: HelioError.impostor, cause: error)
        case .wrongCertificate:
            return HelioError(
                .refused,
                "\(server) shows another certificate than that of the fingerprint: ask its operator for the address.",
                reason: HelioError.impostor, cause: error)
        case .noTLS: return HelioError(.refused, "\(server) does not speak TLS.", cause: error)
        case .endedEarly, nil: break
        }
        if let error = error as? HelioError { return error }
        if let refused = error as? ProxyOpening.Refused, let proxy {
            return Self.explanation(refused, of: proxy, to: place)
        }
        if let refused = error as? WebSocketOpening.Refused {
            return HelioError(
                .refused, "\(server) answers with HTTP status \(refused.status): it is no rendezvous server, or full.",
                cause: error)
        }
        guard let error else {
            return HelioError(.unreachable, "\(server) has ended the connection.")
        }
        return HelioError(
            .unreachable,
            wasOpen
                ? "\(server): the connection is lost (\(NetworkFailure.words(error)))."
                : "\(server) can't be reached\(proxy.map { " by the HTTP proxy \($0.place)" } ?? ""): "
                    + "\(NetworkFailure.words(error)).", cause: error)
    }

    private static func explanation(
        _ refused: ProxyOpening.Refused, of proxy: HTTPProxy, to place: RendezvousPlace
    ) -> HelioError {
        let what =
            switch refused.status {
            case 407?: "wants a name and a password: HTTPS_PROXY goes http://NAME:PASSWORD@HOST:PORT"
            case let status?: "does not connect to \(place.authority), with HTTP status \(status): ask who runs it"
            case nil: "does not answer as one: is it what HTTPS_PROXY has to name?"
            }
        return HelioError(.refused, "The HTTP proxy \(proxy.place) \(what).", cause: refused)
    }
}
