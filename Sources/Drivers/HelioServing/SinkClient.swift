package import HelioAdmission
package import HelioCore
internal import HelioGround
internal import HelioLoop
package import HelioMedia
private import HelioOpenSSL
package import HelioRemote
package import HelioSession
private import HelioTLS
package import NIOCore

/// The viewer's end of a session: a TLS connection for signalling and a UDP socket for media, on one event loop around
/// one `SinkSession` engine; and a UDP socket for control, with an engine of its own that any thread may call. A tunnel
/// (`HostRoute`) may take the place of all three.
package final class SinkClient: Sendable {
    /// The maximum number of queued inputs: many times those that a user and a decoder make in a second.
    private static let inputsWaiting = 1024

    private let loop: any EventLoop
    private let core: NIOLoopBound<SinkCore>
    private let control: ControlSlot
    private let inbox: EngineInbox<SinkSession.Input>

    /// Connects to the host of a link and starts the session; results arrive as events. Throws soon after its task is
    /// cancelled.
    ///
    /// - Parameters:
    ///   - route: the tunnel to the host, on the same event loop; `nil` for sockets to the link's addresses. The client
    ///     closes it. The tunnel chooses its own way to the host, so media and input go by its datagrams, whatever the
    ///     settings say, or inside the connection if it has none.
    ///   - delegate: kept alive as long as the client.
    package static func connect(
        _ link: ShareLink, settings: SinkSession.Settings, route: NIOLoopBound<any HostRoute>? = nil,
        on loop: any EventLoop, delegate: any SinkClientDelegate
    ) async throws(HelioError) -> SinkClient {
        let tls = try TLSClientContext()
        let control = ControlSlot(delegate)
        let attempt = NIOLoopBoundBox.makeEmptyBox(valueType: SinkCore.self, eventLoop: loop)
        return try await loop.flatSubmit { () -> EventLoopFuture<SinkClient> in
            let core = SinkCore(
                loop: loop, link: link, settings: settings, route: route?.value, control: control, delegate: delegate)
            attempt.value = core
            let bound = NIOLoopBound(core, eventLoop: loop)
            return core.connect(tls).map { SinkClient(loop: loop, core: bound, control: control) }
        }.get(
            onCancel: { loop.execute { attempt.value?.abandon() } },
            describe: { error in
                HelioError(
                    .unreachable, "\(link.authority) can't be reached: \(NetworkFailure.words(error)).", cause: error)
            })
    }

    private init(loop: any EventLoop, core: NIOLoopBound<SinkCore>, control: ControlSlot) {
        self.loop = loop
        self.core = core
        self.control = control
        inbox = EngineInbox(capacity: Self.inputsWaiting, refusedAs: "request-queue-full", on: loop) {
            core.value.feed($0)
        }
    }

    /// Encrypts the user's input, and sends it before returning. Callable from any thread.
    package func send(_ event: InputEvent) { control.port?.handle(.event(event)) }

    package var controlStatistics: ViewerControl.Statistics? { control.port?.read { $0.statistics } }

    /// Queues an input for the session, such as a keyframe request of the decoder. Callable from any thread.
    package func submit(_ input: SinkSession.Input) { _ = inbox.put(input) }

    /// Sends the host file-transfer messages; their bytes must have been granted before. Callable from any thread.
    package func send(files messages: [[UInt8]]) {
        loop.execute { [core] in
            core.value.measureOften()
            core.value.feed(.files(messages))
        }
    }

    package func statistics() async throws -> SinkStatistics? {
        guard var statistics = try await loop.submit({ [core] in core.value.statistics }).get() else { return nil }
        statistics.drops.add(inbox)
        return statistics
    }

    /// Ends the session and closes all sockets.
    package func stop() async {
        try? await loop.flatSubmit { [core] in core.value.stop() }.get()
    }
}

/// A `SinkClient`'s state on its event loop: the engine, the connection and the media socket.
private final class SinkCore: HostDialerDelegate {
    private(set) var engine: EngineLoop<SinkSession>?
    private let loop: any EventLoop
    private let link: ShareLink
    private let settings: SinkSession.Settings
    private let route: (any HostRoute)?
    private let delegate: any SinkClientDelegate
    private weak var dialer: (any HostDialing)?
    private var connection: (any Channel)?
    private var writer: StreamWriter?
    private var media: (port: DatagramPort, path: PathID)?
    /// The number of datagrams at the media port from addresses other than the host's.
    fileprivate var foreign = 0
    /// The number of frames dropped because the connection's queue was full.
    private var notTaken = 0
    /// The earliest time of the next request to measure the round trip often.
    private var nextMeasuring = Instant.zero
    private let control: ControlSlot
    /// The queue of control datagrams for the tunnel.
    private var toRoute: EngineInbox<[UInt8]>?
    private var virtualDrops = DropCounter<VirtualDrop>()
    /// Set while the session, before it ends, waits for the host to fetch the clipboard.
    private var handedOver: EventLoopPromise<Void>?
    private var isOver = false

    init(
        loop: any EventLoop, link: ShareLink, settings: SinkSession.Settings, route: (any HostRoute)?,
        control: ControlSlot, delegate: any SinkClientDelegate
    ) {
        self.loop = loop
        self.link = link
        self.route = route
        var settings = settings
        if let route { settings.transport = route.carriesDatagrams ? .udp : .tcp }
        self.settings = settings
        self.control = control
        self.delegate = delegate
    }

    func connect(_ tls: TLSClientContext) -> EventLoopFuture<Void> {
        let link = link
        let certificate = link.fingerprint.map {
            HostDialer.Certificate($0, mismatch: { address in link.mismatch(at: address) })
        }
        let whom = HostDialer.Whom(link.hosts, port: link.port, certificate: certificate)
        let dialer: any HostDialing
        if let route {
            route.received = { [weak self] in self?.received($0, $1) }
            dialer = RouteDialer(whom, by: route, tls, on: loop, delegate: self)
        } else {
            dialer = HostDialer(whom, tls, on: loop, delegate: self)
        }
        self.dialer = dialer
        return dialer.dial()
    }

    /// Gives up the attempt to connect, if it has not succeeded yet.
    func abandon() { dialer?.abandon() }

    func opened(_ answer: HostDialer.Answer) {
        connection = answer.channel
        writer = StreamWriter(answer.channel) { [weak self] in self?.written($0) }
        // Limit the bytes queued in the kernel: input events that are sent on this connection wait behind them.
        StreamBacklog.limit(answer.channel)
        let session = SinkSession(
            settings, link: link, certificateFingerprint: answer.fingerprint, crypto: OpenSSLCrypto(),
            random: SecureGenerator(), now: MonotonicClock.now)
        engine = EngineLoop(
            session, on: loop, perform: { [unowned self] in perform($0) }, settled: { [unowned self] in flush() })
        feed(.connected)
    }

    func received(_ bytes: [UInt8]) { feed(.received(bytes)) }
    func closed(_ error: (any Error)?) { feed(.disconnected) }

    func feed(_ input: SinkSession.Input) { engine?.feed(input) }

    /// The session's statistics, with the drops that happen before the engine.
    var statistics: SinkStatistics? {
        guard var all = engine?.read({ $0.statistics }) else { return nil }
        if foreign > 0 { all.drops["foreign-datagram", default: 0] += foreign }
        if notTaken > 0 { all.drops["connection-full"] = notTaken }
        all.drops.add(virtualDrops, toRoute)
        if let unreachable = media?.port.unreachable, unreachable > 0 { all.drops["no-route"] = unreachable }
        return all
    }

    private func flush() {
        media?.port.flush()
        writer?.flush()
    }

    /// Queues a frame for the connection; `flush` sends all queued frames.
    private func send(frame bytes: [UInt8]) {
        guard let writer, !writer.isFull else {
            notTaken += 1
            return
        }
        writer.put(bytes, .frame)
    }

    /// Reports to the engine the numbers of bytes that the kernel has accepted.
    private func written(_ counts: StreamWriter.Counts) {
        if counts[.signalling] > 0 { feed(.written(counts[.signalling])) }
        if counts[.transfer] > 0 { feed(.transferWritten(counts[.transfer])) }
    }

    /// Makes the control channel measure the round trip often, as the rate of file transfers depends on it.
    func measureOften() {
        let now = MonotonicClock.now
        // Each request has effect for one second and wakes another thread, so requests are limited to two a second.
        guard now >= nextMeasuring else { return }
        nextMeasuring = now + .milliseconds(500)
        control.port?.handle(.measureOften)
    }

    private func perform(_ output: SinkSession.Output) {
        switch output {
        case .send(let bytes): writer?.put(bytes, .signalling)
        case .close: writer?.close()
        case .openPath(let port): openPath(port)
        case .media(let bytes): send(media: bytes)
        case .frame(let bytes): send(frame: bytes)
        case .transfer(let bytes): writer?.put(bytes, .transfer)
        case .control(let bytes): control.port?.handle(.datagram(bytes))
        case .event(let event):
            follow(event)
            delegate.handle(event)
        }
    }

    /// Executes the client's own part of an event: opening, permission and transport of the control channel, and the
    /// end after `handOver`.
    private func follow(_ event: SinkSession.Event) {
        switch event {
        case .playing(_, let terms, let port): openControl(terms, port)
        case .permission(let allowed): control.port?.handle(.permission(allowed))
        case .transport(let transport, _): control.port?.handle(.insideConnection(transport == .tcp))
        case .controlInside: control.port?.handle(.insideConnection(true))
        // The end is deferred until the engine's remaining outputs are executed.
        case .handedOver: loop.assumeIsolated().execute { [self] in finishHandingOver() }
        default: break
        }
    }

    // MARK: Datagrams

    private func send(media bytes: [UInt8]) {
        if let route { return route.send(bytes, .media) }
        if let media { media.port.send(bytes, to: media.path) }
    }

    /// Takes a datagram that has arrived through the tunnel.
    private func received(_ bytes: [UInt8], _ datagram: ServedDatagram) {
        guard bytes.count <= DatagramPort.largestDatagram else { return virtualDrops.count(.tooLong) }
        switch datagram {
        case .media where engine != nil && !isOver: feed(.media(bytes))
        case .media: virtualDrops.count(.unwanted)
        case .control:
            guard let port = control.port else { return virtualDrops.count(.unwanted) }
            port.handle(.datagram(bytes))
        }
    }

    /// Binds a socket for media, and notifies the engine when it is bound. A tunnel is open already.
    private func openPath(_ port: UInt16) {
        guard route == nil else { return feed(.pathOpen) }
        guard let path = host?.with(port: port) else { return feed(.pathFailed("the host has no IP address")) }
        let bound = NIOLoopBound(self, eventLoop: loop)
        // Datagrams from any address but the host's own are dropped before the engine.
        DatagramPort.bind(host: Self.anyAddress(like: path), port: 0, batch: 32, on: loop) { bytes, sender in
            if sender == path { bound.value.feed(.media(bytes)) } else { bound.value.foreign += 1 }
        }.whenComplete { result in
            let core = bound.value
            switch result {
            case .failure(let error):
                core.feed(.pathFailed(NetworkFailure.words(error)))
            case .success(let media):
                guard !core.isOver else { return media.value.close() }
                core.media = (media.value, path)
                core.feed(.pathOpen)
            }
        }
    }

    private func openControl(_ terms: ControlTerms, _ port: UInt16) {
        let bound = NIOLoopBound(self, eventLoop: loop)
        let feed: @Sendable (SinkSession.Input) -> Void = { input in
            bound.eventLoop.execute { bound.value.feed(input) }
        }
        do {
            if let route { return try openControl(terms, by: route, feed) }
            guard let path = host?.with(port: port) else { return }
            try control.open(terms, from: Self.anyAddress(like: path), to: path, feed: feed)
        } catch {
            self.feed(.pathFailed(NetworkFailure.words(error)))
        }
    }

    /// The maximum number of control datagrams queued for the tunnel; what is lost is sent again as on any network.
    private static let controlWaiting = 256

    /// Opens the control channel through the tunnel: any thread's datagrams pass through the event loop.
    private func openControl(
        _ terms: ControlTerms, by route: any HostRoute, _ feed: @escaping @Sendable (SinkSession.Input) -> Void
    ) throws {
        let bound = NIOLoopBound(route, eventLoop: loop)
        let queue = EngineInbox<[UInt8]>(
            capacity: Self.controlWaiting, refusedAs: "control-tunnel-full", on: loop
        ) { bound.value.send($0, .control) }
        toRoute = queue
        try control.open(terms, send: { _ = queue.put($0) }, feed: feed)
    }

    private var host: PathID? { connection?.remoteAddress.flatMap { PathID($0) } }

    private static func anyAddress(like host: PathID) -> String { host.ip.family == .ipv6 ? "::" : "0.0.0.0" }

    /// The longest time that the host may take to fetch this machine's clipboard content, to keep it beyond the
    /// session; after that, the session ends without waiting any longer.
    private static let handingOverTime = TimeAmount.milliseconds(1500)

    /// Ends the session once the host has fetched the content of this machine's clipboard that it keeps beyond the
    /// session.
    func stop() -> EventLoopFuture<Void> {
        if let handedOver { return handedOver.futureResult }
        control.close()
        var hasToWait = false
        engine?.update { session, now in hasToWait = session.handOver(now: now) }
        guard hasToWait else {
            end()
            return loop.makeSucceededVoidFuture()
        }
        let promise = loop.makePromise(of: Void.self)
        handedOver = promise
        let limit = loop.assumeIsolated().scheduleTask(in: Self.handingOverTime) { [self] in finishHandingOver() }
        return promise.futureResult.map { limit.cancel() }
    }

    private func finishHandingOver() {
        guard let promise = handedOver else { return }
        handedOver = nil
        end()
        promise.succeed()
    }

    private func end() {
        isOver = true
        engine?.update { session, now in session.leave(now: now) }
        engine?.stop()
        writer?.close()
        media?.port.close()
        // The tunnel ends once the connection has closed.
        route?.received = nil
    }
}
