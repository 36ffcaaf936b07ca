internal import HelioCore
private import HelioLoop
internal import HelioTLS
internal import NIOCore

/// Connects to a host through a tunnel: TLS and the host's proof of its identity are those of a `HostDialer`. Used on
/// its event loop only.
final class RouteDialer: HostDialing {
    /// The time that the tunnel may take to open the stream: it may have to find a way to the host first.
    private static let openingTime: TimeAmount = .seconds(30)

    private let loop: any EventLoop
    private let whom: HostDialer.Whom
    private let route: any HostRoute
    private let tls: TLSClientContext
    private let delegate: any HostDialerDelegate
    private let answer: EventLoopPromise<Void>
    private let proof: HostProof
    private var channel: (any Channel)?
    private var limit: Scheduled<Void>?
    private var isOver = false
    private var isOpen = false

    /// - Parameters:
    ///   - whom: the host; its first address, if it has any, and the port only name it, in messages and requests.
    ///   - delegate: kept alive until the established connection has ended.
    init(
        _ whom: HostDialer.Whom, by route: any HostRoute, _ tls: TLSClientContext, on loop: any EventLoop,
        delegate: any HostDialerDelegate
    ) {
        self.loop = loop
        self.whom = whom
        self.route = route
        self.tls = tls
        self.delegate = delegate
        proof = HostProof(whom.certificate)
        answer = loop.makePromise()
    }

    private var authority: String { Authority.text(whom.addresses.first ?? "host", port: whom.port) }

    func dial() -> EventLoopFuture<Void> {
        let bound = NIOLoopBound(self, eventLoop: loop)
        answer.futureResult.whenComplete { bound.value.end($0) }
        wait(Self.openingTime)
        route.open().whenComplete { bound.value.opened($0) }
        return answer.futureResult
    }

    /// Limits the time until the next step, as neither the tunnel nor the host behind it may hang the viewer.
    private func wait(_ time: TimeAmount) {
        let bound = NIOLoopBound(self, eventLoop: loop)
        limit?.cancel()
        limit = loop.scheduleTask(in: time) {
            bound.value.giveUp(HelioError(.unreachable, "The host does not answer.", remedy: .startHost))
        }
    }

    func abandon() { giveUp(HelioError(.ended, "The attempt to connect was given up.")) }

    private func opened(_ result: Result<any Channel, any Error>) {
        if isOver {
            if case .success(let channel) = result { channel.close(promise: nil) }
            return
        }
        do {
            let channel = try result.get()
            self.channel = channel
            let stream = ByteStreamHandler(
                opened: { [self] in stands($0) },
                received: { [self] bytes in if isOpen { delegate.received(bytes) } },
                closed: { [self] in
                    if isOpen { delegate.closed($0) } else { giveUp(proof.failure(at: authority, $0)) }
                })
            try proof.prepare(channel, tls, stream)
            wait(TimeAmount(Reconnection.connectTime) + HostDialer.answerTime)
        } catch let error as HelioError {
            giveUp(error)
        } catch {
            giveUp(
                HelioError(
                    .unreachable, "\(authority) can't be reached: \(NetworkFailure.words(error)).",
                    remedy: .startHost, cause: error))
        }
    }

    private func stands(_ channel: any Channel) {
        guard !isOver else { return channel.close(promise: nil) }
        isOpen = true
        // The host's last bytes, and this end's, pass before the stream has closed.
        let bound = NIOLoopBound(route, eventLoop: loop)
        channel.closeFuture.whenComplete { _ in bound.value.close() }
        delegate.opened(
            HostDialer.Answer(
                channel: channel, address: whom.addresses.first ?? "", authority: authority, fingerprint: proof.seen))
        answer.succeed(())
    }

    private func giveUp(_ error: HelioError) {
        if !isOver { answer.fail(error) }
    }

    private func end(_ result: Result<Void, any Error>) {
        isOver = true
        limit?.cancel()
        guard case .failure = result else { return }
        channel?.close(promise: nil)
        route.close()
    }
}
