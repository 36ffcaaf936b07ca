package import HelioCore
private import HelioOpenSSL
package import HelioSession
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
        var statistics = try await loop.submit { [core] in core.value.engine.read { $0.statistics } }.get()
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
    /// A player's connection, with what waits for the end of the engine's turn.
    private struct Connection {
        var channel: any Channel
        var remote: SocketAddress
        var waiting: ByteBuffer
    }

    private(set) var engine: EngineLoop<PlayerHost>!
    private let loop: any EventLoop
    private var listener: (any Channel)?
    private var media: DatagramPortPair?
    private var connections: [ConnectionID: Connection] = [:]
    private var dirty: Set<ConnectionID> = []
    private var nextConnection: UInt64 = 0

    /// More than this many connections at once are turned away: speaking or not, they cost memory.
    private static let connectionLimit = 64

    init(_ host: PlayerHost, loop: any EventLoop, onEvent: @escaping (PlayerHost.Event) -> Void) {
        self.loop = loop
        engine = EngineLoop(
            host, on: loop, perform: { [unowned self] in perform($0, onEvent) }, settled: { [unowned self] in flush() })
    }

    private func perform(_ output: PlayerHost.Output, _ onEvent: (PlayerHost.Event) -> Void) {
        switch output {
        case .send(let id, let bytes):
            connections[id]?.waiting.writeBytes(bytes)
            dirty.insert(id)
        case .close(let id):
            flush(id)
            connections[id]?.channel.close(promise: nil)
        case .media(let bytes, let id, let port):
            send(bytes, from: media?.rtp, to: id, port)
        case .reports(let bytes, let id, let port):
            send(bytes, from: media?.rtcp, to: id, port)
        case .event(let event):
            onEvent(event)
        }
    }

    private func send(_ bytes: [UInt8], from socket: DatagramPort?, to id: ConnectionID, _ port: UInt16) {
        guard let socket, var remote = connections[id]?.remote else { return }
        remote.port = Int(port)
        socket.send(bytes, to: socket.path(to: remote))
    }

    private func flush() {
        media?.flush()
        let ids = dirty
        dirty.removeAll(keepingCapacity: true)
        for id in ids { flush(id) }
    }

    /// One write for all that an input caused, and word to the engine once the system has taken it.
    private func flush(_ id: ConnectionID) {
        guard let connection = connections[id], connection.waiting.readableBytes > 0 else { return }
        let count = connection.waiting.readableBytes
        connections[id]?.waiting = connection.channel.allocator.buffer(capacity: 0)
        let bound = NIOLoopBound(self, eventLoop: loop)
        // What fails closes the connection, and is told by that.
        connection.channel.writeAndFlush(connection.waiting).whenSuccess {
            // Not from within the engine's own turn.
            bound.value.loop.execute { bound.value.engine.feed(.written(id, count)) }
        }
    }

    func listen(on address: String, port: Int) -> EventLoopFuture<Int> {
        let bound = NIOLoopBound(self, eventLoop: loop)
        return StreamListener.bind(host: address, port: port, on: loop) { try bound.value.accept($0) }
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

    private func accept(_ channel: any Channel) throws {
        guard connections.count < Self.connectionLimit, let remote = channel.remoteAddress else {
            channel.close(promise: nil)
            return
        }
        nextConnection += 1
        let id = ConnectionID(nextConnection)
        connections[id] = Connection(
            channel: channel, remote: remote, waiting: channel.allocator.buffer(capacity: 0))
        try channel.pipeline.syncOperations.addHandler(
            ByteStreamHandler(
                opened: { _ in }, received: { [weak self] bytes in self?.engine.feed(.received(id, bytes)) },
                closed: { [weak self] _ in self?.closed(id) }))
        engine.feed(.connected(id, address: remote.ipAddress ?? "unknown"))
    }

    private func closed(_ id: ConnectionID) {
        connections[id] = nil
        engine.feed(.disconnected(id))
    }

    func stop() {
        engine.update { host, now in host.stop(now: now) }
        engine.stop()
        listener?.close(promise: nil)
        media?.close()
        for connection in connections.values { connection.channel.close(promise: nil) }
    }
}
