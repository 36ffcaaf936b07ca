package import HelioCore
internal import HelioLoop
private import HelioOpenSSL
private import HelioRTSP
package import HelioRTSPClient
package import HelioSession
package import NIOCore

/// A viewer of another program's RTSP server: a TCP connection and, where media comes over UDP, two sockets, on one
/// event loop around one `RTSPPlayback` engine.
package final class RTSPPlaybackClient: Sendable {
    /// What a person and a decoder ask for in a second, many times over.
    private static let inputsWaiting = 1024

    private let loop: any EventLoop
    private let core: NIOLoopBound<PlaybackCore>
    private let inbox: EngineInbox<RTSPPlayback.Input>

    /// Connects to the server and starts to play; what comes of it arrives as events.
    ///
    /// - Parameter onEvent: called on the event loop with each event; must not block.
    package static func connect(
        _ address: RTSPAddress, on loop: any EventLoop, onEvent: @escaping @Sendable (RTSPPlayback.Event) -> Void
    ) async throws(HelioError) -> RTSPPlaybackClient {
        do {
            return try await loop.flatSubmit { () -> EventLoopFuture<RTSPPlaybackClient> in
                do {
                    let core = try PlaybackCore(loop: loop, address: address, onEvent: onEvent)
                    let bound = NIOLoopBound(core, eventLoop: loop)
                    return core.connect().map { RTSPPlaybackClient(loop: loop, core: bound) }
                } catch {
                    return loop.makeFailedFuture(error)
                }
            }.get()
        } catch let error as HelioError {
            throw error
        } catch {
            throw HelioError(
                .unreachable,
                "\(address.authority) can't be reached: is the RTSP server running there, and is the port "
                    + "open?", cause: error)
        }
    }

    private init(loop: any EventLoop, core: NIOLoopBound<PlaybackCore>) {
        self.loop = loop
        self.core = core
        inbox = EngineInbox(capacity: Self.inputsWaiting, on: loop) { core.value.feed($0) }
    }

    /// Hands over the decoder's need of a keyframe. Any thread.
    package func submit(_ input: RTSPPlayback.Input) { _ = inbox.put(input) }

    package func statistics() async throws -> SinkSession.Statistics {
        var statistics = try await loop.submit { [core] in core.value.statistics }.get()
        inbox.tellRefused(as: "request-queue-full", in: &statistics.drops)
        return statistics
    }

    /// Leaves the session and closes all sockets.
    package func stop() async {
        try? await loop.submit { [core] in core.value.stop() }.get()
    }
}

/// What lives on the loop.
private final class PlaybackCore {
    private let loop: any EventLoop
    private let address: RTSPAddress
    private let onEvent: (RTSPPlayback.Event) -> Void
    private var link: RTSPLink!
    private var engine: EngineLoop<RTSPPlayback>?

    init(
        loop: any EventLoop, address: RTSPAddress, onEvent: @escaping (RTSPPlayback.Event) -> Void
    ) throws(HelioError) {
        self.loop = loop
        self.address = address
        self.onEvent = onEvent
        link = try RTSPLink(address, on: loop) { [weak self] in self?.take($0) }
    }

    func connect() -> EventLoopFuture<Void> { link.connect() }

    func feed(_ input: RTSPPlayback.Input) { engine?.feed(input) }

    var statistics: SinkSession.Statistics {
        engine?.read { $0.statistics } ?? SinkSession.Statistics()
    }

    private func take(_ happening: RTSPLink.Happening) {
        switch happening {
        case .connected:
            begin()
            feed(.connected)
        case .disconnected: feed(.disconnected)
        case .refused(let error):
            engine?.stop()
            onEvent(.ended(error))
        case .received(let bytes): feed(.received(bytes))
        case .written: break
        case .portsOpen(let rtp, let rtcp): feed(.portsOpen(rtp: rtp, rtcp: rtcp))
        case .portsFailed: feed(.portsFailed)
        case .datagram(let bytes, let channel): feed(.datagram(bytes, channel))
        case .truncatedDatagram: feed(.truncatedDatagram)
        }
    }

    /// Once there is a server: it has its time from then on.
    private func begin() {
        guard engine == nil else { return }
        engine = EngineLoop(
            RTSPPlayback(address, crypto: OpenSSLCrypto(), random: SecureGenerator(), now: MonotonicClock.now),
            on: loop, perform: { [unowned self] in perform($0) }, settled: { [unowned self] in link.flush() })
    }

    private func perform(_ output: RTSPPlayback.Output) {
        switch output {
        case .send(let bytes): link.send(bytes)
        case .close: link.close()
        case .reconnect: reconnect()
        case .openPorts: link.openPorts()
        case .aim(let rtp, let rtcp): link.aim(rtp: rtp, rtcp: rtcp)
        case .datagram(let bytes, let channel): link.send(bytes, channel)
        case .event(let event): onEvent(event)
        }
    }

    private func reconnect() {
        link.close()
        let bound = NIOLoopBound(self, eventLoop: loop)
        link.connect().whenFailure { _ in bound.value.feed(.disconnected) }
    }

    func stop() {
        engine?.update { session, now in session.leave(now: now) }
        engine?.stop()
        link.close()
    }
}
