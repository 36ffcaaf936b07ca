internal import HelioAdmission
internal import HelioCore
internal import HelioGround
internal import HelioHost
internal import HelioLoop
private import HelioOpenSSL
import HelioRemote
import HelioSession
internal import HelioStores
internal import HelioTLS
internal import NIOCore

/// A `SourceServer`'s state on its event loop: the engine, the sockets and the connections.
final class SourceServerCore: ConnectionOwner, DeviceWatchObserver {
    private(set) var engine: EngineLoop<SourceHost>!
    private let loop: any EventLoop
    private let connections: ServedConnections<SourceServerCore>
    private var listener: (any Channel)?
    private var media: DatagramPort?
    /// The SSRCs that may send to the media and control ports; on Linux, the system drops datagrams of others.
    private var sources: [SSRC] = []
    private let hearsViewers: Bool
    private var nextConnection: UInt64 = 0
    private var devices: DeviceWatch?
    private var web: WebPeers?

    // `observer`, `control`, `webSockets` and `routes` refer back to this object; `end` breaks the reference cycles.
    private var observer: (any HostObserver)?
    private var control: ControlPort?
    private var webSockets: (any WebSockets)?
    private var routes: (any VirtualRoutes)?

    private var virtualDrops = DropCounter<VirtualDrop>()
    private var isOver = false

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
            if path.isVirtual { route(bytes, .media, to: path) } else { media?.send(bytes, to: path) }
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

    func changed(_ devices: [PairedDevice]) {
        feed(.devices(devices))
        observer?.changed(devices)
    }

    func changed(_ time: TimeOfDay?) { feed(.time(time)) }

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
            bound.value.take(bytes, from: path)
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
            loop: loop, route: { bound.value.route($0.bytes, .control, to: $0.path) }, feed: { bound.value.feed($0) })
        self.control = control
        listenToSources()
        let mediaPort = media?.localPort ?? 0
        engine.update { host, _ in host.setPorts(media: mediaPort, control: control.localPort) }
        return control
    }

    private func take(_ media: [UInt8], from path: PathID) {
        if path.isVirtual { virtualDrops.count(.forged) } else { feed(.media(media, from: path)) }
    }

    // MARK: Tunnels

    func setRoutes(_ routes: any VirtualRoutes) {
        if !isOver { self.routes = routes }
    }

    /// Serves the stream of a tunnel with this path.
    func adopt(_ channel: any Channel, at path: PathID, from address: String) {
        guard path.isVirtual else {
            virtualDrops.count(.notVirtual)
            return channel.close(promise: nil)
        }
        guard !isOver else { return channel.close(promise: nil) }
        StreamBacklog.limit(channel)
        connections.adopt(channel, at: path, from: address) { id, address in
            .adopted(id, address: address, route: path)
        }
    }

    private func route(_ bytes: [UInt8], _ datagram: ServedDatagram, to path: PathID) {
        guard let routes else { return virtualDrops.count(.noRoutes) }
        routes.send(bytes, datagram, to: path)
    }

    /// Takes a datagram that has arrived through the tunnel with this path.
    func received(_ bytes: [UInt8], _ datagram: ServedDatagram, from path: PathID) {
        guard path.isVirtual else { return virtualDrops.count(.notVirtual) }
        guard bytes.count <= DatagramPort.largestDatagram else { return virtualDrops.count(.tooLong) }
        switch datagram {
        case .media: feed(.media(bytes, from: path))
        case .control: control?.put(.datagram(bytes, from: path))
        }
    }

    // MARK: The engine

    func makeConnectionID() -> ConnectionID {
        nextConnection += 1
        return ConnectionID(nextConnection)
    }

    func progress(of id: ConnectionID) -> Stranger.Progress? { engine.read { $0.progress(of: id) } }

    func feed(_ input: SourceHost.Input) { engine.feed(input) }

    func stop() {
        isOver = true
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
            connections.drops.named("connection-"), virtualDrops,
            ["no-route": media?.unreachable ?? 0, "media-thrown-away": media?.thrownAway ?? 0])
        return all
    }

    /// Closes the browsers' peer connections, stops the engine, and releases the objects that refer to this one. Called
    /// on a later event-loop tick than `stop`, when `WebPeers` has closed the connections of admitted viewers.
    func end() {
        web?.closeAll()
        engine.stop()
        (observer, control, webSockets, routes) = (nil, nil, nil, nil)
    }
}
