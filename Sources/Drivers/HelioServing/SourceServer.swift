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
private import Synchronization

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
    private let core: NIOLoopBound<SourceServerCore>
    private let control: ControlPort
    private let inbox: EngineInbox<SourceHost.Input>
    private let servesWeb: Bool
    /// True once `stop` was called: the loop may end at any time after that, and would run nothing more.
    private let isStopped = Mutex(false)

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
                let core = SourceServerCore(
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
        port: Int, loop: any EventLoop, core: NIOLoopBound<SourceServerCore>, control: ControlPort, servesWeb: Bool
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

    /// Sets the tunnels by which datagrams to virtual paths are sent; kept alive until the server has stopped. Call it
    /// on the event loop only.
    package func setRoutes(_ routes: any VirtualRoutes) { core.value.setRoutes(routes) }

    /// Serves a viewer whose stream came through a tunnel, as if the signalling port had accepted it: with the same TLS
    /// and the same limits. A stream that the limits refuse is closed. Call it on the event loop only.
    ///
    /// - Parameters:
    ///   - channel: the stream: open, on the server's event loop, without handlers, and with no byte read from it yet.
    ///     Once it has closed, the tunnel is not used any more.
    ///   - path: the virtual path of the viewer's datagrams, which no other tunnel of this server has.
    ///   - address: the viewer's IP address as far as it is known, for people and for the limits by address. All
    ///     viewers without one share a limit.
    package func adopt(_ channel: any Channel, at path: PathID, from address: String) {
        core.value.adopt(channel, at: path, from: address)
    }

    /// Takes a viewer's datagram that has arrived through the tunnel with this path. Call it on the event loop only,
    /// and not from within `VirtualRoutes.send`.
    package func received(_ bytes: [UInt8], _ datagram: ServedDatagram, from path: PathID) {
        core.value.received(bytes, datagram, from: path)
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

    /// The secret of the current link. Throws `ended` after `stop`.
    package func currentSecret() async throws -> SecretBytes { try await read { $0.engine.read(\.linkSecret) } }

    /// Throws `ended` after `stop`.
    package func statistics() async throws -> SourceHost.Statistics {
        var statistics = try await read(\.statistics)
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

    private func read<Value: Sendable>(_ value: @escaping @Sendable (SourceServerCore) -> Value) async throws -> Value {
        let read = isStopped.withLock { isStopped in
            isStopped ? nil : loop.submit { [core] in value(core.value) }
        }
        guard let read else { throw HelioError(.ended, "Sharing has ended.") }
        return try await read.get()
    }

    /// Notifies every viewer that the session ends, and closes all sockets. Further calls do nothing.
    package func stop() async {
        let isFirst = isStopped.withLock { isStopped in
            defer { isStopped = true }
            return !isStopped
        }
        guard isFirst else { return }
        try? await loop.submit { [core] in core.value.stop() }.get()
        // `HostControl` releases the keys that viewers hold down, and sends its last messages, before its thread ends.
        await control.finish()
        try? await loop.submit { [core] in core.value.end() }.get()
    }
}
