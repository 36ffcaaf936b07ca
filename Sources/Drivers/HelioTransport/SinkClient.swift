package import HelioControl
package import HelioControlWire
package import HelioCore
private import HelioOpenSSL
private import HelioProtection
package import HelioSession
package import NIOCore
private import NIOPosix
private import NIOSSL

/// The viewer's end: a TLS connection for signalling and a UDP socket for media, on one event loop around one
/// `SinkSession` engine; and a UDP socket for control, with an engine of its own that any thread may call.
package final class SinkClient: Sendable {
    /// What a person and a decoder ask for in a second, many times over.
    private static let inputsWaiting = 1024

    private let loop: any EventLoop
    private let core: NIOLoopBound<SinkCore>
    private let control: ControlSlot
    private let inbox: EngineInbox<SinkSession.Input>

    /// Connects to the host of a link and starts the session; what comes of it arrives as events.
    ///
    /// - Parameters:
    ///   - onEvent: called on the event loop with each event; must not block.
    ///   - onCursor: called on a thread of control's with each place of the host's pointer, normalised.
    ///   - onDriver: called on that thread when somebody else drives, or nobody.
    ///   - onControlRequest: called on that thread when somebody asks this viewer, who drives, for control.
    package static func connect(
        _ link: ShareLink, settings: SinkSession.Settings, on loop: any EventLoop,
        onEvent: @escaping @Sendable (SinkSession.Event) -> Void,
        onCursor: @escaping @Sendable (_ x: Float, _ y: Float) -> Void,
        onDriver: @escaping @Sendable (Driver) -> Void = { _ in },
        onControlRequest: @escaping @Sendable (_ name: String) -> Void = { _ in }
    ) async throws(HelioError) -> SinkClient {
        let tls = try TLSContexts.client()
        let control = ControlSlot(onCursor: onCursor, onDriver: onDriver, onControlRequest: onControlRequest)
        do {
            return try await loop.flatSubmit { () -> EventLoopFuture<SinkClient> in
                let core = SinkCore(
                    loop: loop, link: link, settings: settings, control: control, onEvent: onEvent)
                let bound = NIOLoopBound(core, eventLoop: loop)
                return core.connect(tls).map {
                    SinkClient(loop: loop, core: bound, control: control)
                }
            }.get()
        } catch let error as HelioError {
            throw error
        } catch {
            throw HelioError(
                .unreachable,
                "\(link.host):\(link.port) can't be reached (\(error)): is 'heliograph share' running there, and is the "
                    + "port open?", cause: error)
        }
    }

    private init(loop: any EventLoop, core: NIOLoopBound<SinkCore>, control: ControlSlot) {
        self.loop = loop
        self.core = core
        self.control = control
        inbox = EngineInbox(capacity: Self.inputsWaiting, on: loop) { core.value.feed($0) }
    }

    /// Seals what the person did and sends it, before this returns. Any thread.
    package func send(_ event: InputEvent) { control.port?.handle(.event(event)) }

    package var controlStatistics: ViewerControl.Statistics? { control.port?.read { $0.statistics } }

    /// Hands over the decoder's need of a keyframe. Any thread.
    package func submit(_ input: SinkSession.Input) { _ = inbox.put(input) }

    package func statistics() async throws -> SinkSession.Statistics? {
        var statistics = try await loop.submit { [core] in core.value.engine?.read { $0.statistics } }.get()
        if inbox.refused > 0 { statistics?.drops["request-queue-full"] = inbox.refused }
        return statistics
    }

    /// Leaves the session and closes all sockets.
    package func stop() async {
        try? await loop.submit { [core] in core.value.stop() }.get()
    }
}

/// What lives on the loop.
private final class SinkCore {
    private(set) var engine: EngineLoop<SinkSession>?
    private let loop: any EventLoop
    private let link: ShareLink
    private let settings: SinkSession.Settings
    private let onEvent: (SinkSession.Event) -> Void
    private var connection: (any Channel)?
    /// Asks for connections until there is one, up to `connectBy`.
    private var probes: RepeatedTask?
    private let connectBy = NIODeadline.now() + TimeAmount(ReconnectPlan.connectTime)
    private var isOver = false
    private var media: (port: DatagramPort, path: PathID)?
    private let control: ControlSlot
    /// Whom TLS showed; checked against the link before a byte is sent.
    private var seenFingerprint: [UInt8]?

    /// A host that is there and busy may take this long to answer.
    private static let answerTime: TimeAmount = .seconds(5)

    init(
        loop: any EventLoop, link: ShareLink, settings: SinkSession.Settings, control: ControlSlot,
        onEvent: @escaping (SinkSession.Event) -> Void
    ) {
        self.loop = loop
        self.link = link
        self.settings = settings
        self.control = control
        self.onEvent = onEvent
    }

    func connect(_ tls: NIOSSLContext) -> EventLoopFuture<Void> {
        let ready = loop.makePromise(of: Void.self)
        let bound = NIOLoopBound(self, eventLoop: loop)
        // TCP repeats a first packet that is lost after a second, then after two: a connection that is asked for anew
        // finds a network that has come back much sooner.
        let probes = loop.scheduleRepeatedTask(
            initialDelay: .zero, delay: TimeAmount(ReconnectPlan.probeInterval)
        ) { _ in
            bound.value.probe(tls, ready)
        }
        // A host that accepts and then stays silent must not hang the viewer.
        let limit = loop.scheduleTask(in: TimeAmount(ReconnectPlan.connectTime) + Self.answerTime) {
            ready.fail(
                HelioError(.unreachable, "The host does not answer: is it 'heliograph share' that listens there?"))
        }
        self.probes = probes
        ready.futureResult.whenComplete { result in
            probes.cancel()
            limit.cancel()
            guard case .failure = result else { return }
            bound.value.isOver = true
            bound.value.connection?.close(promise: nil)
        }
        return ready.futureResult
    }

    /// Asks for one connection more; the first that stands is taken.
    private func probe(_ tls: NIOSSLContext, _ ready: EventLoopPromise<Void>) {
        let bound = NIOLoopBound(self, eventLoop: loop)
        let left = connectBy - .now()
        guard left > .zero else {
            probes?.cancel()
            return
        }
        ClientBootstrap(group: loop)
            .connectTimeout(left)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .connect(host: link.host, port: Int(link.port))
            .whenComplete { result in
                let core = bound.value
                // There is one already, or it was given up.
                guard core.connection == nil, !core.isOver else {
                    if case .success(let channel) = result { channel.close(promise: nil) }
                    return
                }
                do {
                    let channel = try result.get()
                    core.probes?.cancel()
                    core.connection = channel
                    try core.prepare(channel, tls: tls, ready: ready)
                } catch {
                    ready.fail(error)
                }
            }
    }

    private func prepare(_ channel: any Channel, tls: NIOSSLContext, ready: EventLoopPromise<Void>) throws {
        let expected = link.fingerprint
        let bound = NIOLoopBound(self, eventLoop: loop)
        let handler = try NIOSSLClientHandler(
            context: tls,
            judge: { seen in
                bound.value.seenFingerprint = seen
                return expected == nil || expected == seen
            })
        try channel.pipeline.syncOperations.addHandlers([
            handler,
            ByteStreamHandler(
                opened: { [self] _ in
                    start()
                    ready.succeed(())
                },
                received: { [weak self] bytes in self?.feed(.received(bytes)) },
                closed: { [weak self] error in
                    guard let self else { return }
                    ready.fail(connectFailure(error))
                    feed(.disconnected)
                }),
        ])
    }

    private func connectFailure(_ error: (any Error)?) -> HelioError {
        if let seen = seenFingerprint, let expected = link.fingerprint, seen != expected {
            return HelioError(
                .refused,
                link.device == nil
                    ? "The host at \(link.host):\(link.port) is not the one that the link was made by: its key is "
                        + "another. Get a fresh link from the sharing machine; if this repeats, somebody is in between."
                    : "The host at \(link.host):\(link.port) is not the one that this device was paired with: its key "
                        + "is another. If the host was set up anew, pair again with 'heliograph pair'; else somebody "
                        + "is in between.")
        }
        return HelioError(
            .unreachable, "The host at \(link.host):\(link.port) closed the connection: is it 'heliograph share'?",
            cause: error)
    }

    private func start() {
        let session = SinkSession(
            settings, link: link, certificateFingerprint: seenFingerprint ?? [], crypto: OpenSSLCrypto(),
            random: SecureGenerator(), now: MonotonicClock.now)
        engine = EngineLoop(
            session, on: loop, perform: { [unowned self] in perform($0) }, settled: { [unowned self] in flush() })
        feed(.connected)
    }

    func feed(_ input: SinkSession.Input) { engine?.feed(input) }

    private func flush() { media?.port.flush() }

    private func perform(_ output: SinkSession.Output) {
        switch output {
        case .send(let bytes): connection?.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
        case .close: connection?.close(promise: nil)
        case .openPath(let port): openPath(port)
        case .media(let bytes): if let media { media.port.send(bytes, to: media.path) }
        case .event(let event):
            if case .playing(_, let terms, let port) = event { openControl(terms, port) }
            if case .permission(let allowed) = event { control.port?.handle(.permission(allowed)) }
            onEvent(event)
        }
    }

    /// Binds a socket for media, and tells the engine when it is there.
    private func openPath(_ port: UInt16) {
        guard let host = connection?.remoteAddress?.ipAddress,
            let address = try? SocketAddress(ipAddress: host, port: Int(port))
        else { return feed(.pathFailed("the host has no IP address")) }
        let bound = NIOLoopBound(self, eventLoop: loop)
        // Only the host's own address is listened to; anything else is dropped before the engine.
        DatagramPort.bind(host: Self.anyAddress(like: host), port: 0, batch: 32, on: loop) { bytes, path in
            if path == bound.value.media?.path { bound.value.feed(.media(bytes)) }
        }.whenComplete { result in
            let core = bound.value
            switch result {
            case .failure(let error):
                core.feed(.pathFailed("\(error)"))
            case .success(let media):
                core.media = (media.value, media.value.path(to: address))
                core.feed(.pathOpen)
            }
        }
    }

    private func openControl(_ terms: ControlTerms, _ port: UInt16) {
        guard let host = connection?.remoteAddress?.ipAddress else { return }
        let bound = NIOLoopBound(self, eventLoop: loop)
        do {
            try control.open(
                terms, from: Self.anyAddress(like: host), to: (host, Int(port)),
                onRoundTrip: { time in bound.eventLoop.execute { bound.value.feed(.roundTrip(time)) } })
        } catch {
            feed(.pathFailed("\(error)"))
        }
    }

    private static func anyAddress(like host: String) -> String { host.contains(":") ? "::" : "0.0.0.0" }

    func stop() {
        control.close()
        engine?.update { session, now in session.leave(now: now) }
        engine?.stop()
        connection?.close(promise: nil)
        media?.port.close()
    }
}
