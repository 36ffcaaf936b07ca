package import HelioCore
internal import HelioLoop
private import HelioOpenSSL
private import HelioRTSP
package import HelioRTSPClient
package import NIOCore

/// Publishes to another program's RTSP server: its connections, and two sockets where media goes by UDP, on one event
/// loop around one `RTSPPublication` engine.
package final class RTSPPublicationClient: Sendable {
    package struct Settings: Sendable {
        package var address: RTSPAddress
        package var format: VideoFormat
        /// Media goes within the connection, without trying UDP.
        package var isInterleavedOnly: Bool

        package init(address: RTSPAddress, format: VideoFormat, isInterleavedOnly: Bool) {
            self.address = address
            self.format = format
            self.isInterleavedOnly = isInterleavedOnly
        }
    }

    /// As many as `SourceServer` lets wait.
    private static let slicesWaiting = 256

    private let loop: any EventLoop
    private let core: NIOLoopBound<PublicationCore>
    private let inbox: EngineInbox<RTSPPublication.Input>

    /// Begins to publish, whether the server is there yet or not; what comes of it arrives as events.
    ///
    /// - Parameter onEvent: called on the event loop with each event; must not block.
    ///
    /// Throws `systemFailed` where there is no TLS.
    package static func start(
        _ settings: Settings, on loop: any EventLoop, onEvent: @escaping @Sendable (RTSPPublication.Event) -> Void
    ) async throws(HelioError) -> RTSPPublicationClient {
        do {
            return try await loop.submit {
                let core = try PublicationCore(settings, on: loop, onEvent: onEvent)
                core.start()
                return RTSPPublicationClient(loop: loop, core: NIOLoopBound(core, eventLoop: loop))
            }.get()
        } catch let error as HelioError {
            throw error
        } catch {
            throw HelioError(.systemFailed, "Publishing can't be started: \(error).", cause: error)
        }
    }

    private init(loop: any EventLoop, core: NIOLoopBound<PublicationCore>) {
        self.loop = loop
        self.core = core
        inbox = EngineInbox(capacity: Self.slicesWaiting, on: loop) { core.value.feed($0) }
    }

    /// Hands over a slice or format from the media thread. Any thread; never blocks.
    ///
    /// - Returns: whether it was taken; a refused slice has broken its frame, so a keyframe is needed.
    package func submit(_ input: consuming RTSPPublication.Input) -> Bool { inbox.put(input) }

    package func statistics() async throws -> RTSPPublication.Statistics {
        var statistics = try await loop.submit { [core] in core.value.statistics }.get()
        inbox.tellRefused(as: "publication-queue-full", in: &statistics.drops)
        return statistics
    }

    /// Leaves the server and closes all sockets.
    package func stop() async {
        try? await loop.submit { [core] in core.value.stop() }.get()
    }
}

/// What lives on the loop.
private final class PublicationCore {
    private let loop: any EventLoop
    private let onEvent: (RTSPPublication.Event) -> Void
    private var link: RTSPLink!
    private var engine: EngineLoop<RTSPPublication>!

    init(
        _ settings: RTSPPublicationClient.Settings, on loop: any EventLoop,
        onEvent: @escaping (RTSPPublication.Event) -> Void
    ) throws(HelioError) {
        self.loop = loop
        self.onEvent = onEvent
        let now = MonotonicClock.now
        link = try RTSPLink(settings.address, on: loop) { [weak self] in self?.take($0) }
        engine = EngineLoop(
            RTSPPublication(
                .init(
                    address: settings.address, format: settings.format, isInterleavedOnly: settings.isInterleavedOnly,
                    clockOffset: WallClock.sinceNTPEpoch(at: now)),
                crypto: OpenSSLCrypto(), random: SecureGenerator(), now: now),
            on: loop, perform: { [unowned self] in perform($0) }, settled: { [unowned self] in link.flush() })
    }

    func start() { engine.update { publication, now in publication.tick(now: now) } }

    func feed(_ input: RTSPPublication.Input) { engine.feed(input) }

    var statistics: RTSPPublication.Statistics { engine.read { $0.statistics } }

    private func take(_ happening: RTSPLink.Happening) {
        switch happening {
        case .connected: feed(.connected)
        case .disconnected: feed(.disconnected)
        case .refused(let error): feed(.refused(error))
        case .received(let bytes): feed(.received(bytes))
        case .written(let count): feed(.written(count))
        case .portsOpen(let rtp, let rtcp): feed(.portsOpen(rtp: rtp, rtcp: rtcp))
        case .portsFailed: feed(.portsFailed)
        case .datagram(let bytes, let channel): feed(.datagram(bytes, channel))
        // Reports are short.
        case .truncatedDatagram: break
        }
    }

    private func perform(_ output: RTSPPublication.Output) {
        switch output {
        case .connect: connect()
        case .send(let bytes): link.send(bytes)
        case .close: link.close()
        case .openPorts: link.openPorts()
        case .aim(let rtp, let rtcp): link.aim(rtp: rtp, rtcp: rtcp)
        case .datagram(let bytes, let channel): link.send(bytes, channel)
        case .event(let event): onEvent(event)
        }
    }

    private func connect() {
        let bound = NIOLoopBound(self, eventLoop: loop)
        // One that was given up in between is told of too late, and its engine knows.
        link.connect().whenFailure { _ in bound.value.feed(.disconnected) }
    }

    func stop() {
        engine.update { publication, now in publication.leave(now: now) }
        engine.stop()
        link.close()
    }
}
