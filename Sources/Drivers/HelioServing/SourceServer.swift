package import HelioAdmission
package import HelioCore
internal import HelioGround
package import HelioHost
internal import HelioLoop
private import HelioOpenSSL
package import HelioProtection
internal import HelioRemote
private import HelioRemoteWire
import HelioSession
package import HelioStores
package import HelioTLS
package import HelioTransferWire
package import NIOCore

/// The host's end of all sessions: a TLS port for signalling and a UDP port for media, on one event loop around one
/// `SourceHost` engine; and a UDP port for control, with an engine and a thread of its own (`ControlPort`).
package final class SourceServer: Sendable {
    package struct Settings: Sendable {
        /// The address to listen on.
        package var address: String
        /// The TCP and UDP port of signalling and media; control has the next higher UDP port, if that is free. 0 picks
        /// free ports.
        package var port: Int
        package var host: SourceHost.Settings
        /// The maximum rate of pointer moves that the machine accepts, per second; `nil` for a desktop's rate.
        package var inputRate: UInt16?
        /// The limit of strangers' connections and TLS handshakes, which all of the host's ports share.
        package var strangers: StrangerLimit

        package init(
            address: String, port: Int, host: SourceHost.Settings, inputRate: UInt16? = nil,
            strangers: StrangerLimit = StrangerLimit()
        ) {
            self.strangers = strangers
            self.address = address
            self.port = port
            self.host = host
            self.inputRate = inputRate
        }
    }

    /// The maximum number of queued inputs from other threads. It is enough for many seconds of the most frequent
    /// inputs, so a full queue means a stuck loop.
    private static let inputsWaiting = 1024
    /// The number of places in that queue that are reserved for inputs other than the pointer's position.
    private static let reserve = 768

    package let localPort: Int
    private let loop: any EventLoop
    private let core: NIOLoopBound<Core>
    private let control: ControlPort
    private let inbox: EngineInbox<SourceHost.Input>
    private let servesWeb: Bool

    /// Opens the ports for signalling, media and control, and starts the engine.
    ///
    /// - Parameters:
    ///   - devices: the paired devices, which are admitted without confirmation. The store is checked once a second: a
    ///     change by another program takes effect, and a device that was removed is disconnected.
    ///   - stream: supplies the stream that viewers get.
    ///   - web: the means to serve browsers, if the host's settings admit them; the caller passes browsers' messages to
    ///     `webInput`.
    ///   - observer: kept alive until the server has stopped.
    ///   - machine: the machine that viewers drive; `nil` if there is none.
    package static func start(
        _ settings: Settings, identity: Identity, devices: DeviceStore? = nil, web: WebServing? = nil,
        stream: StreamMailbox, observer: any HostObserver, machine: (any DrivenMachine)? = nil,
        on loop: any EventLoop
    ) async throws(HelioError) -> SourceServer {
        let tls = try TLSServerContext(identity.key)
        do {
            return try await loop.flatSubmit { () -> EventLoopFuture<SourceServer> in
                let core = Core(
                    SourceHost(
                        settings.host, fingerprint: identity.fingerprint, crypto: OpenSSLCrypto(),
                        random: SecureGenerator(), now: MonotonicClock.now),
                    loop: loop, tls: tls, strangers: settings.strangers,
                    hearsViewers: settings.host.hearsViewers, observer: observer)
                let bound = NIOLoopBound(core, eventLoop: loop)
                if let devices { core.follow(devices) }
                if let web { core.serve(web) }
                stream.add(core.engine)
                let server = core.listen(on: settings.address, port: settings.port).flatMapThrowing { port in
                    let control = try bound.value.openControl(
                        on: settings.address, port: port, screen: settings.host.format.size,
                        inputRate: settings.inputRate, machine: machine)
                    return SourceServer(
                        port: port, loop: loop, core: bound, control: control, servesWeb: settings.host.web != nil)
                }
                server.whenFailure { _ in
                    bound.value.stop()
                    bound.value.end()
                }
                return server
            }.get()
        } catch {
            let why =
                NetworkFailure.isTaken(error)
                ? "is used by another program, perhaps by one that shares this screen already"
                : "on \(settings.address) can't be used: \(NetworkFailure.words(error))"
            throw HelioError(
                .systemFailed, "Port \(settings.port) \(why).", remedy: .chooseSharingPort, cause: error)
        }
    }

    private init(
        port: Int, loop: any EventLoop, core: NIOLoopBound<Core>, control: ControlPort, servesWeb: Bool
    ) {
        localPort = port
        self.servesWeb = servesWeb
        self.loop = loop
        self.core = core
        self.control = control
        inbox = EngineInbox(capacity: Self.inputsWaiting, refusedAs: "request-queue-full", on: loop) {
            core.value.feed($0)
        }
    }

    /// Queues an input from another thread, such as the pointer's shape; the stream is passed through the
    /// `StreamMailbox`. Never blocks.
    package func submit(_ input: consuming SourceHost.Input) { _ = inbox.put(input) }

    /// Sends every viewer the pointer's position, in pixels of the captured screen. Callable from any thread.
    package func tellCursor(x: Int, y: Int) {
        control.put(.cursorMoved(x: x, y: y))
        if servesWeb { _ = inbox.put(.cursorMoved(x: x, y: y), leaving: Self.reserve) }
    }

    /// Sets the list of monitors, and the one that is shown. Callable from any thread.
    ///
    /// - Parameter isFixed: true if viewers can't choose, and only the shown monitor is listed to them.
    package func setMonitors(_ layout: MonitorLayout, isFixed: Bool) {
        let entries = (isFixed ? [layout.selected] : layout.monitors).prefix(HostMessage.mostMonitors).map {
            MonitorEntry(
                id: $0.id, name: $0.name, size: PixelSize(width: $0.rect.width, height: $0.rect.height),
                isPrimary: $0.isPrimary)
        }
        let selected = layout.selected.id
        // The control engine, which accepts selections, must know the monitors before viewers do.
        control.put(.monitors(entries.map(\.id)))
        submit(.monitors(entries, selected: selected))
    }

    /// Makes the ID of a viewer in a browser, unique among all viewers of this server. Call it on the event loop only.
    package func makeWebViewer() -> ConnectionID { core.value.makeConnectionID() }

    /// Passes a message or an event of a browser's WebSocket to the engine. Call it on the event loop only.
    package func webInput(_ input: WebInput, from viewer: ConnectionID) { core.value.feed(.web(viewer, input)) }

    /// Returns true if this browser must not be evicted to make room: it was admitted, or its pairing code is being
    /// compared. Call it on the event loop only.
    package func keepsWeb(_ viewer: ConnectionID) -> Bool {
        core.value.progress(of: viewer).map { $0 == .pairing } ?? true
    }

    /// Sets the size of the shared picture and its monitor, which viewers' positions are mapped to. Callable from any
    /// thread.
    package func setScreen(_ size: PixelSize, on monitor: ScreenMonitor? = nil) {
        control.put(.screen(size, on: monitor))
        submit(.screen(size, scale: monitor?.scale))
    }

    /// Answers a pairing question on behalf of the host's user. Callable from any thread.
    package func answerPairing(_ connection: ConnectionID, _ answer: PairingDesk.Answer) {
        submit(.answerPairing(connection, answer))
    }

    /// Revokes control, or permits it again: for one viewer, by its device's name or its address, or for all. Callable
    /// from any thread.
    package func permitControl(_ allowed: Bool, viewer: String?) { submit(.permitControl(allowed, viewer: viewer)) }

    /// Passes on an event of the host's clipboard. Callable from any thread.
    package func take(_ event: ClipboardEvent) { submit(.clipboard(event)) }

    /// Sets the directions in which the host shares its clipboard with the driving viewer, and the size limit in bytes.
    /// Callable from any thread.
    package func setClipboard(_ terms: ClipboardTerms) { submit(.clipboardTerms(terms)) }

    /// Sends a viewer file-transfer messages; their bytes must have been granted before. Callable from any thread.
    package func send(files messages: [[UInt8]], to viewer: ConnectionID) { submit(.files(messages, to: viewer)) }

    /// Kicks a viewer on behalf of the host's user. Callable from any thread.
    package func putOut(_ viewer: ConnectionID) { submit(.putOut(viewer)) }

    /// Kicks a viewer that sends more file-transfer messages than its credit allows. Callable from any thread.
    package func endForFlooding(_ viewer: ConnectionID) { submit(.filesFlooded(viewer)) }

    /// The secret of the current link.
    package func currentSecret() async throws -> SecretBytes {
        try await loop.submit { [core] in core.value.engine.read(\.linkSecret) }.get()
    }

    package func statistics() async throws -> SourceHost.Statistics {
        var statistics = try await loop.submit { [core] in core.value.statistics }.get()
        let (driver, drops) = await control.statistics()
        statistics.drops.add(inbox, drops)
        for index in statistics.viewers.indices {
            let viewer = statistics.viewers[index]
            statistics.viewers[index].drives =
                switch driver {
                case .session(let ssrc): viewer.ssrc == ssrc
                case .browser(let id): viewer.isWeb && viewer.id == id
                case nil: false
                }
        }
        return statistics
    }

    /// Notifies every viewer that the session ends, and closes all sockets.
    package func stop() async {
        try? await loop.submit { [core] in core.value.stop() }.get()
        // `HostControl` releases the keys that viewers hold down, and sends its last messages, before its thread ends.
        await control.finish()
        try? await loop.submit { [core] in core.value.end() }.get()
    }
}

/// A `SourceServer`'s state on its event loop: the engine, the sockets and the connections.
private final class Core: ConnectionOwner, DeviceWatchObserver {
    private(set) var engine: EngineLoop<SourceHost>!
    private let loop: any EventLoop
    private let connections: ServedConnections<Core>
    private var listener: (any Channel)?
    private var media: DatagramPort?
    /// The SSRCs that may send to the media and control ports; on Linux, the system drops datagrams of others.
    private var sources: [SSRC] = []
    private let hearsViewers: Bool
    private var nextConnection: UInt64 = 0
    private var devices: DeviceWatch?
    private var web: WebPeers?

    // `observer`, `control` and `webSockets` refer back to this object; `end` breaks the reference cycles.
    private var observer: (any HostObserver)?
    private var control: ControlPort?
    private var webSockets: (any WebSockets)?

    private static let connectionLimit = 64

    init(
        _ host: consuming SourceHost, loop: any EventLoop, tls: TLSServerContext, strangers: StrangerLimit,
        hearsViewers: Bool, observer: any HostObserver
    ) {
        self.loop = loop
        self.hearsViewers = hearsViewers
        self.observer = observer
        connections = ServedConnections(on: loop, limit: Self.connectionLimit, tls: tls, strangers: strangers)
        engine = EngineLoop(
            host, on: loop, perform: { [unowned self] in perform($0) }, settled: { [unowned self] in flush() })
        connections.owner = self
    }

    private func perform(_ output: SourceHost.Output) {
        switch output {
        case .send(let connection, let bytes):
            connections.send(bytes, to: connection)
        case .close(let connection):
            connections.close(connection)
        case .media(let bytes, let path):
            media?.send(bytes, to: path)
        case .web(let viewer, .send(let bytes)): webSockets?.send(bytes, to: viewer)
        case .web(let viewer, .close): webSockets?.close(viewer)
        case .web(let viewer, .peer(let demand)): web?.perform(demand, of: viewer)
        case .voice(let viewer, let packet): observer?.play(packet, of: viewer)
        case .clipboard(let order): observer?.execute(order)
        case .files(let viewer, let news): observer?.handle(news, of: viewer)
        case .control(let input): control?.put(input)
        case .sources(let sources):
            self.sources = sources
            listenToSources()
        case .event(let event):
            switch event {
            case .paired(let device, _): devices?.add(device)
            case .visited(let device, let address): devices?.note(visitOf: device, from: address)
            default: break
            }
            observer?.handle(event)
        }
    }

    /// Follows the store: admits the devices that it holds, and none if it can't be read.
    func follow(_ store: DeviceStore) { devices = DeviceWatch(store, on: loop, for: self) }

    func changed(_ devices: [PairedDevice]) { feed(.devices(devices)) }

    func note(_ sentence: String) { observer?.note(sentence) }

    func serve(_ serving: WebServing) {
        webSockets = serving.sockets
        web = WebPeers(serving.port, loop: loop) { [weak self] in self?.feed(.web($0, $1)) }
    }

    private func flush() {
        media?.flush()
        connections.flush()
        web?.flush()
    }

    /// The number of ports that are tried if the system chooses them.
    private static let portTries = 8

    /// Opens the TCP and the UDP port; returns their number.
    ///
    /// - Parameter port: 0 for any. The number that the system then chooses is free for TCP, but another program may
    ///   have it for UDP; in that case the next number is tried.
    func listen(on address: String, port: Int) -> EventLoopFuture<Int> {
        listen(on: address, port: port, tries: port == 0 ? Self.portTries : 1)
    }

    private func listen(on address: String, port: Int, tries: Int) -> EventLoopFuture<Int> {
        let bound = NIOLoopBound(self, eventLoop: loop)
        return open(on: address, port: port).flatMapError { error in
            guard tries > 1, NetworkFailure.isTaken(error), let listener = bound.value.listener.take() else {
                return bound.value.loop.makeFailedFuture(error)
            }
            return listener.close().flatMap { bound.value.listen(on: address, port: port, tries: tries - 1) }
        }
    }

    private func open(on address: String, port: Int) -> EventLoopFuture<Int> {
        let bound = NIOLoopBound(self, eventLoop: loop)
        // The backlog is limited, as a connection carries media if UDP does not reach the viewer.
        return connections.listen(on: address, port: port, prepare: { StreamBacklog.limit($0) }).flatMap { channel in
            bound.value.listener = channel
            let chosen = channel.localAddress?.port ?? port
            return bound.value.bindMedia(address, chosen).map { chosen }
        }
    }

    private func bindMedia(_ address: String, _ port: Int) -> EventLoopFuture<Void> {
        let bound = NIOLoopBound(self, eventLoop: loop)
        let media = DatagramPort.bind(host: address, port: port, batch: 8, on: loop) { bytes, path in
            bound.value.feed(.media(bytes, from: path))
        }
        return media.map {
            bound.value.media = $0.value
            bound.value.listenToSources()
        }
    }

    private func listenToSources() {
        // The sender's SSRC is at byte 4 in RTCP, and at byte 8 in RTP.
        media?.listen(to: sources, at: hearsViewers ? [4, 8] : [4])
        control?.listen(to: sources)
    }

    /// Opens the port for control, next to that for media if possible.
    func openControl(
        on address: String, port: Int, screen: PixelSize, inputRate: UInt16?, machine: (any DrivenMachine)?
    ) throws -> ControlPort {
        // The next port is preferred, but any free port will do, as viewers are sent the port's number.
        let socket: DatagramSocket
        do {
            socket = try DatagramSocket(bindTo: address, port: port + 1)
        } catch {
            socket = try DatagramSocket(bindTo: address, port: 0)
        }
        let bound = NIOLoopBound(self, eventLoop: loop)
        let control = try ControlPort(
            HostControl(screen: screen, inputRate: inputRate, crypto: OpenSSLCrypto()), of: machine, on: socket,
            loop: loop
        ) { bound.value.feed($0) }
        self.control = control
        listenToSources()
        let mediaPort = media?.localPort ?? 0
        engine.update { host, _ in host.setPorts(media: mediaPort, control: control.localPort) }
        return control
    }

    func makeConnectionID() -> ConnectionID {
        nextConnection += 1
        return ConnectionID(nextConnection)
    }

    func progress(of id: ConnectionID) -> Stranger.Progress? { engine.read { $0.progress(of: id) } }

    func feed(_ input: SourceHost.Input) { engine.feed(input) }

    func stop() {
        devices?.stop()
        engine.update { host, now in host.stop(now: now) }
        listener?.close(promise: nil)
        media?.close()
        connections.closeAll()
    }

    /// The engine's statistics, with those of the sockets.
    var statistics: SourceHost.Statistics {
        var all = engine.read { $0.statistics }
        all.drops.add(
            connections.drops.named("connection-"),
            ["no-route": media?.unreachable ?? 0, "media-thrown-away": media?.thrownAway ?? 0])
        return all
    }

    /// Closes the browsers' peer connections, stops the engine, and releases the objects that refer to this one. Called
    /// on a later event-loop tick than `stop`, when `WebPeers` has closed the connections of admitted viewers.
    func end() {
        web?.closeAll()
        engine.stop()
        (observer, control, webSockets) = (nil, nil, nil)
    }
}
