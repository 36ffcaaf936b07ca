internal import HelioAdmission
internal import HelioCore
internal import HelioLinks
internal import HelioOpenSSL
internal import HelioPeerPort
internal import HelioProtection
internal import HelioRendezvous
internal import HelioRendezvousPort
internal import HelioServing
internal import HelioTunnel
internal import NIOCore

/// A viewer's route to a host by a rendezvous server: the connection to the server, the call, and the tunnel by both
/// and by ICE. Lives on one event loop. It keeps itself alive from its making until its end.
final class RendezvousRoute: HostRoute {
    /// The longest time without the server before the route is given up.
    private static let patience: TimeAmount = .seconds(8)
    /// The longest time that the tunnel may take to deliver its last bytes.
    private static let goodbyeTime: TimeAmount = .milliseconds(800)

    private let calls = RendezvousCalls()
    private let connection: RendezvousConnection
    private let tunnel: ViewerTunnel
    private let port: PeerPort?
    private let loop: any EventLoop
    private var opening: EventLoopFuture<any Channel>?
    private var limit: Scheduled<Void>?
    private var isOnline = false
    /// The reason why the server is not reached.
    private var serverFailure: HelioError?
    private var isOver = false
    private var isClosed = false
    private var waiting: [EventLoopPromise<Void>] = []

    init(
        _ place: RendezvousPlace, to host: HostRendezvous, secret: SecretBytes, port: PeerPort?,
        _ certificate: OpenSSLDTLS, number: UInt64, _ settings: TunnelSettings, on loop: any EventLoop
    ) throws(HelioError) {
        self.port = port
        self.loop = loop
        connection = RendezvousConnection(place, signer: nil, on: loop, onEvent: { [calls] in calls.take($0) })
        tunnel = try ViewerTunnel(
            calls.call(), to: host.device, secret: secret, port: port, certificates: certificate, number: number,
            settings: settings, on: loop)
        calls.feed = { [weak self] in self?.connection.feed($0) }
        calls.isNear = { [weak self] in self?.connection.isNear ?? false }
        calls.onEvent = { [weak self] in self?.take($0) }
        tunnel.onEnd = { [self] _ in end() }
    }

    var path: PathID { tunnel.path }
    var received: (([UInt8], ServedDatagram) -> Void)? {
        get { tunnel.received }
        set { tunnel.received = newValue }
    }
    /// The kind of the link that carries the picture; `nil` while there is none.
    var link: LinkKind? { tunnel.statistics?.mediaKind }

    /// Calls the host, and opens the stream to it. A further call returns the same stream.
    func open() -> EventLoopFuture<any Channel> {
        if let opening { return opening }
        guard !isOver else {
            return loop.makeFailedFuture(HelioError(.ended, "The attempt to connect was given up."))
        }
        let bound = NIOLoopBound(self, eventLoop: loop)
        connection.start()
        limit = loop.assumeIsolated().scheduleTask(in: Self.patience) { [weak self] in
            guard let self, !isOnline else { return }
            giveUpOpening()
        }
        let opened = tunnel.open().flatMapErrorThrowing { throw bound.value.explanation(of: $0) }
        opening = opened
        opened.whenFailure { _ in bound.value.end() }
        return opened
    }

    func send(_ bytes: [UInt8], _ class: ServedDatagram) { tunnel.send(bytes, `class`) }

    func close() { tunnel.close() }

    /// Closes the route, and waits until its sockets are closed.
    func finish() -> EventLoopFuture<Void> {
        if isClosed { return loop.makeSucceededVoidFuture() }
        let promise = loop.makePromise(of: Void.self)
        waiting.append(promise)
        let limit = loop.assumeIsolated().scheduleTask(in: Self.goodbyeTime) { [self] in tunnel.abandon() }
        promise.futureResult.whenComplete { _ in limit.cancel() }
        close()
        return promise.futureResult
    }

    // MARK: The server

    private func take(_ event: RendezvousClient.Event) {
        switch event {
        case .online:
            isOnline = true
            serverFailure = nil
        case .refused:
            serverFailure = HelioError(
                .refused, "The rendezvous server refuses this device for now: try again later.")
        case .offline:
            isOnline = false
            serverFailure = connection.failure ?? serverFailure
            guard connection.failure?.code == .refused else { return }
            // The connection handles its own event now.
            let bound = NIOLoopBound(self, eventLoop: loop)
            loop.execute { if !bound.value.isOnline { bound.value.giveUpOpening() } }
        default: break
        }
    }

    /// Ends the attempt to open the stream; an open stream goes on by its other links.
    private func giveUpOpening() {
        if !tunnel.isOpen { tunnel.abandon() }
    }

    private func explanation(of error: any Error) -> any Error { isOnline ? error : serverFailure ?? error }

    // MARK: End

    private func end() {
        if isOver { return }
        isOver = true
        limit?.cancel()
        tunnel.onEnd = nil
        let (bound, loop, port) = (NIOLoopBound(self, eventLoop: loop), loop, port)
        // The tunnel may have ended within an event of the connection.
        loop.execute {
            bound.value.connection.stop()
            Task {
                await port?.close()
                loop.execute { bound.value.closed() }
            }
        }
    }

    private func closed() {
        isClosed = true
        for promise in waiting { promise.succeed() }
        waiting = []
    }
}
