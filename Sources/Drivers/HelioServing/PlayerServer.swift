package import HelioCore
internal import HelioLoop
private import HelioOpenSSL
private import HelioRTSP
package import HelioRTSPServer
private import HelioSession
package import NIOCore

/// The endpoint for ordinary players: a TCP port for RTSP and a pair of UDP ports for RTP and RTCP, on one event loop
/// around one `PlayerHost` engine.
package final class PlayerServer: Sendable {
    package struct Settings: Sendable {
        /// The address to listen on.
        package var address: String
        /// TCP port of RTSP; 0 picks a free one. The UDP ports are always free ones.
        package var port: Int
        package var format: VideoFormat
        /// `nil` lets in whoever connects.
        package var credentials: PlayerCredentials?

        package init(address: String, port: Int, format: VideoFormat, credentials: PlayerCredentials?) {
            self.address = address
            self.port = port
            self.format = format
            self.credentials = credentials
        }
    }

    /// As many as `SourceServer` lets wait.
    private static let slicesWaiting = 256

    package let localPort: Int
    private let loop: any EventLoop
    private let core: NIOLoopBound<Core>
    private let inbox: EngineInbox<PlayerHost.Input>

    /// Starts listening.
    ///
    /// - Parameter onEvent: called on the event loop with each event; must not block.
    package static func start(
        _ settings: Settings, on loop: any EventLoop, onEvent: @escaping @Sendable (PlayerHost.Event) -> Void
    ) async throws(HelioError) -> PlayerServer {
        do {
            return try await loop.flatSubmit { () -> EventLoopFuture<PlayerServer> in
                let core = Core(
                    PlayerHost(
                        .init(
                            format: settings.format, credentials: settings.credentials,
                            clockOffset: WallClock.sinceNTPEpoch(at: MonotonicClock.now)),
                        crypto: OpenSSLCrypto(), random: SecureGenerator(), now: MonotonicClock.now),
                    loop: loop, onEvent: onEvent)
                let bound = NIOLoopBound(core, eventLoop: loop)
                return core.listen(on: settings.address, port: settings.port).map { port in
                    PlayerServer(port: port, loop: loop, core: bound)
                }
            }.get()
        } catch {
            let place = Authority.text(settings.address, port: settings.port)
            throw HelioError(
                .systemFailed,
                "Players can't be served at \(place) (\(error)): choose another address or "
                    + "port with --rtsp HOST:PORT.", cause: error)
        }
    }

    private init(port: Int, loop: any EventLoop, core: NIOLoopBound<Core>) {
        localPort = port
        self.loop = loop
        self.core = core
        inbox = EngineInbox(capacity: Self.slicesWaiting, on: loop) { core.value.engine.feed($0) }
    }

    /// Hands over a slice or format from the media thread. Any thread; never blocks.
    ///
    /// - Returns: whether it was taken; a refused slice has broken its frame, so a keyframe is needed.
    package func submit(_ input: consuming PlayerHost.Input) -> Bool { inbox.put(input) }

    package func statistics() async throws -> PlayerHost.Statistics {
        var statistics = try await loop.submit { [core] in core.value.statistics }.get()
        inbox.tellRefused(as: "player-queue-full", in: &statistics.drops)
        return statistics
    }

    /// Says good-bye to every player and closes all sockets.
    package func stop() async {
        try? await loop.submit { [core] in core.value.stop() }.get()
    }
}

/// What lives on the loop.
private final class Core {
    private(set) var engine: EngineLoop<PlayerHost>!
    private let loop: any EventLoop
    private var listener: (any Channel)?
    private var media: DatagramPortPair?
    private var connections: ServedConnections<PlayerHost.Input>!
    private var nextConnection: UInt64 = 0

    private static let connectionLimit = 64

    init(_ host: PlayerHost, loop: any EventLoop, onEvent: @escaping (PlayerHost.Event) -> Void) {
        self.loop = loop
        engine = EngineLoop(
            host, on: loop, perform: { [unowned self] in perform($0, onEvent) }, settled: { [unowned self] in flush() })
        connections = ServedConnections(
            on: loop, limit: Self.connectionLimit, makeID: { [unowned self] in makeConnectionID() },
            progress: { [unowned self] id in engine.read { $0.progress(of: id) } },
            feed: { [unowned self] in engine.feed($0) })
    }

    private func perform(_ output: PlayerHost.Output, _ onEvent: (PlayerHost.Event) -> Void) {
        switch output {
        case .send(let id, let bytes):
            connections.send(bytes, to: id)
        case .close(let id):
            connections.close(id)
        case .media(let bytes, let id, let port):
            send(bytes, from: media?.rtp, to: id, port)
        case .reports(let bytes, let id, let port):
            send(bytes, from: media?.rtcp, to: id, port)
        case .event(let event):
            onEvent(event)
        }
    }

    private func send(_ bytes: [UInt8], from socket: DatagramPort?, to id: ConnectionID, _ port: UInt16) {
        guard let socket, let remote = connections.remote(of: id) else { return }
        socket.send(bytes, to: remote.with(port: port))
    }

    private func flush() {
        media?.flush()
        connections.flush()
    }

    private func makeConnectionID() -> ConnectionID {
        nextConnection += 1
        return ConnectionID(nextConnection)
    }

    var statistics: PlayerHost.Statistics {
        var all = engine.read { $0.statistics }
        for (name, count) in connections.drops.named { all.drops["player-connection-\(name)"] = count }
        return all
    }

    func listen(on address: String, port: Int) -> EventLoopFuture<Int> {
        let bound = NIOLoopBound(self, eventLoop: loop)
        return StreamListener.bind(host: address, port: port, on: loop) { try bound.value.connections.accept($0) }
            .flatMap { channel in
                bound.value.listener = channel
                let chosen = channel.localAddress?.port ?? port
                return bound.value.bindMedia(address).map { chosen }
            }
    }

    private func bindMedia(_ address: String) -> EventLoopFuture<Void> {
        let bound = NIOLoopBound(self, eventLoop: loop)
        return DatagramPortPair.bind(host: address, batch: 8, on: loop) { bytes, channel, _ in
            // On the port of RTP players only open a way through a NAT, by a datagram that says nothing.
            if channel == .rtcp { bound.value.engine.feed(.reports(bytes)) }
        }.map { media in
            bound.value.media = media.value
            bound.value.engine.update { host, _ in host.setMediaPort(media.value.rtp.localPort) }
        }
    }

    func stop() {
        engine.update { host, now in host.stop(now: now) }
        engine.stop()
        listener?.close(promise: nil)
        media?.close()
        connections.closeAll()
    }
}
