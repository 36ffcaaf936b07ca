package import HelioCore
internal import HelioLoop
private import HelioOpenSSL
private import HelioRTSP
package import HelioRTSPServer
package import HelioSession
package import NIOCore

/// The endpoint that other programs publish to: a TCP port for RTSP and a pair of UDP ports for RTP and RTCP, on one
/// event loop around one `RecordingHost` engine.
package final class RecordingServer: Sendable {
    package struct Settings: Sendable {
        /// The address to listen on.
        package var address: String
        /// TCP port of RTSP; 0 picks a free one. The UDP ports are always free ones.
        package var port: Int
        /// `nil` lets in whoever connects.
        package var credentials: PlayerCredentials?

        package init(address: String, port: Int, credentials: PlayerCredentials?) {
            self.address = address
            self.port = port
            self.credentials = credentials
        }
    }

    /// What the decoder may wish for while the loop is busy.
    private static let inputsWaiting = 64

    package let localPort: Int
    private let loop: any EventLoop
    private let core: NIOLoopBound<RecordingCore>
    private let inbox: EngineInbox<RecordingHost.Input>

    /// Starts listening.
    ///
    /// - Parameter onEvent: called on the event loop with each event; must not block.
    package static func start(
        _ settings: Settings, on loop: any EventLoop, onEvent: @escaping @Sendable (RecordingHost.Event) -> Void
    ) async throws(HelioError) -> RecordingServer {
        do {
            return try await loop.flatSubmit { () -> EventLoopFuture<RecordingServer> in
                let core = RecordingCore(
                    RecordingHost(
                        .init(credentials: settings.credentials), crypto: OpenSSLCrypto(), random: SecureGenerator()),
                    loop: loop, onEvent: onEvent)
                let bound = NIOLoopBound(core, eventLoop: loop)
                return core.listen(on: settings.address, port: settings.port).map { port in
                    RecordingServer(port: port, loop: loop, core: bound)
                }
            }.get()
        } catch {
            let place = Authority.text(settings.address, port: settings.port)
            throw HelioError(
                .systemFailed,
                "Nobody can publish to \(place) (\(error)): choose another address or port "
                    + "with --receive HOST:PORT.", cause: error)
        }
    }

    private init(port: Int, loop: any EventLoop, core: NIOLoopBound<RecordingCore>) {
        localPort = port
        self.loop = loop
        self.core = core
        inbox = EngineInbox(capacity: Self.inputsWaiting, on: loop) { core.value.engine.feed($0) }
    }

    /// Hands over the decoder's need of a keyframe. Any thread.
    package func submit(_ input: RecordingHost.Input) { _ = inbox.put(input) }

    package func statistics() async throws -> SinkSession.Statistics {
        var statistics = try await loop.submit { [core] in core.value.statistics }.get()
        inbox.tellRefused(as: "request-queue-full", in: &statistics.drops)
        return statistics
    }

    /// Puts the publisher out and closes all sockets.
    package func stop() async {
        try? await loop.submit { [core] in core.value.stop() }.get()
    }
}

/// What lives on the loop.
private final class RecordingCore {
    private(set) var engine: EngineLoop<RecordingHost>!
    private let loop: any EventLoop
    private var listener: (any Channel)?
    private var media: DatagramPortPair?
    /// Whom to hear, and where to send reports.
    private var publisher: (rtp: PathID, rtcp: PathID)?
    private var connections: ServedConnections<RecordingHost.Input>!
    private var nextConnection: UInt64 = 0

    private static let connectionLimit = 32

    init(_ host: RecordingHost, loop: any EventLoop, onEvent: @escaping (RecordingHost.Event) -> Void) {
        self.loop = loop
        engine = EngineLoop(
            host, on: loop, perform: { [unowned self] in perform($0, onEvent) },
            settled: { [unowned self] in
                media?.flush()
                connections.flush()
            })
        connections = ServedConnections(
            on: loop, limit: Self.connectionLimit, makeID: { [unowned self] in makeConnectionID() },
            progress: { [unowned self] id in engine.read { $0.progress(of: id) } },
            feed: { [unowned self] in engine.feed($0) })
    }

    private func perform(_ output: RecordingHost.Output, _ onEvent: (RecordingHost.Event) -> Void) {
        switch output {
        case .send(let id, let bytes): connections.send(bytes, to: id)
        case .close(let id): connections.close(id)
        case .aim(let id, let rtp, let rtcp): aim(id, rtp, rtcp)
        case .turnAway: publisher = nil
        case .datagram(let bytes, let channel):
            guard let media, let publisher else { return }
            media[channel].send(bytes, to: channel == .rtp ? publisher.rtp : publisher.rtcp)
        case .event(let event): onEvent(event)
        }
    }

    private func aim(_ id: ConnectionID, _ rtp: UInt16, _ rtcp: UInt16) {
        guard let remote = connections.remote(of: id) else { return }
        publisher = (remote.with(port: rtp), remote.with(port: rtcp))
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
        return DatagramPortPair.bind(host: address, batch: 32, on: loop) { bytes, channel, path in
            bound.value.hear(bytes, channel, from: path)
        }.map { media in
            bound.value.media = media.value
            bound.value.engine.update { host, _ in host.setMediaPort(media.value.rtp.localPort) }
        }
    }

    /// Only the publisher's own address and ports are heard: anything else is dropped before the engine.
    private func hear(_ bytes: [UInt8], _ channel: RTPChannel, from path: PathID) {
        guard let publisher, path == (channel == .rtp ? publisher.rtp : publisher.rtcp) else { return }
        engine.feed(bytes.count < DatagramPort.largestDatagram ? .datagram(bytes, channel) : .truncatedDatagram)
    }

    private func makeConnectionID() -> ConnectionID {
        nextConnection += 1
        return ConnectionID(nextConnection)
    }

    var statistics: SinkSession.Statistics {
        var all = engine.read { $0.statistics }
        for (name, count) in connections.drops.named { all.drops["recording-connection-\(name)"] = count }
        return all
    }

    func stop() {
        engine.update { host, now in host.stop(now: now) }
        engine.stop()
        listener?.close(promise: nil)
        media?.close()
        connections.closeAll()
    }
}
