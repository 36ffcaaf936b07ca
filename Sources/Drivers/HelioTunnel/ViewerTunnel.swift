package import HelioCore
package import HelioLinks
internal import HelioOpenSSL
package import HelioPeerPort
package import HelioProtection
internal import HelioRendezvous
package import HelioRendezvousWire
package import HelioServing
package import NIOCore

/// A viewer's tunnel to a host on any network: rings the host at a rendezvous, and carries the session's connection and
/// datagrams by the call and by ICE, whichever way works first and best. Lives on one event loop, that of its port.
package final class ViewerTunnel: HostRoute {
    package let path: PathID
    package var received: (([UInt8], ServedDatagram) -> Void)?
    /// Called on the loop with each event, for logs and the person's status line.
    package var onEvent: ((TunnelEvent) -> Void)?
    /// Called on the loop once, when the tunnel has ended after it was open.
    package var onEnd: ((HelioError) -> Void)?

    private let core: TunnelCore
    private let device: RendezvousID
    private let token: RingToken
    private let settings: TunnelSettings
    private let loop: any EventLoop
    private var opening: EventLoopPromise<any Channel>?
    private var limit: Scheduled<Void>?
    private var end: HelioError?
    private var hasRung = false

    /// - Parameters:
    ///   - carrier: a call that has not rung yet.
    ///   - secret: the pairing's or the link's.
    ///   - port: where ICE has its sockets, on `loop`; `nil` if the call is to carry everything.
    ///   - certificates: this machine's DTLS certificate; any will do, as the call authenticates its fingerprint.
    ///   - number: a number for the virtual path, different for each tunnel of this process.
    package init(
        _ carrier: any CallCarrier, to device: RendezvousID, secret: SecretBytes, port: PeerPort?,
        certificates: any DTLSProvider, number: UInt64, settings: TunnelSettings, on loop: any EventLoop
    ) throws(HelioError) {
        let crypto = OpenSSLCrypto()
        var random = SecureGenerator()
        do {
            token = try CallKeys.token(of: secret, for: device, crypto)
            let sealer = try CallSealer(ringing: secret, device: device, crypto: crypto, random: &random)
            core = TunnelCore(
                .viewer, SealedCall(carrier, sealer: sealer), port: port, certificates: certificates,
                settings: settings, on: loop)
        } catch {
            throw HelioError(.systemFailed, "The call to the host can't be encrypted here (\(error)).", cause: error)
        }
        path = .virtual(number)
        self.device = device
        self.settings = settings
        self.loop = loop
        core.onDatagram = { [weak self] purpose, bytes in
            self?.received?(bytes, purpose == .media ? .media : .control)
        }
        core.onEvent = { [weak self] in self?.onEvent?($0) }
        core.onStream = { [weak self] in self?.opened($0) }
        core.onEnd = { [weak self] in self?.ended($0.error) }
    }

    /// Rings the host, and opens the stream to it: the session's connection, an open channel without handlers.
    package func open() -> EventLoopFuture<any Channel> {
        loop.preconditionInEventLoop()
        let promise = loop.makePromise(of: (any Channel).self)
        guard !hasRung, end == nil else {
            promise.fail(end ?? HelioError(.invalidArgument, "A tunnel is opened once: make another."))
            return promise.futureResult
        }
        hasRung = true
        opening = promise
        let delay = TimeAmount.nanoseconds(settings.connecting.nanoseconds)
        limit = loop.assumeIsolated().scheduleTask(in: delay) { [weak self] in self?.core.finish(.linksLost) }
        core.call.ring(device, token)
        return promise.futureResult
    }

    package func send(_ bytes: [UInt8], _ class: ServedDatagram) {
        core.send(bytes, `class` == .media ? .media : .control)
    }

    /// Adds a link, whose other end the host has to add as well. The tunnel closes it.
    package func add(_ link: any TunnelLink) {
        loop.preconditionInEventLoop()
        core.add(link)
    }

    /// Ends the tunnel: what was given to the stream is delivered first, if a link is up.
    package func close() {
        loop.preconditionInEventLoop()
        core.close()
    }

    /// Ends the tunnel at once, with what waits in it.
    package func abandon() {
        loop.preconditionInEventLoop()
        core.finish(.closed)
    }

    /// True once the stream is open.
    package var isOpen: Bool { hasRung && opening == nil && end == nil }

    /// The links' statistics; `nil` before there are links, and after the end.
    package var statistics: LinkBundleStatistics? { core.statistics }
    /// Counts of drops by name, those of the links not included.
    package var allDrops: [String: Int] { core.drops.byName }

    private func opened(_ channel: any Channel) {
        limit?.cancel()
        limit = nil
        let opening = opening
        self.opening = nil
        opening?.succeed(channel)
    }

    private func ended(_ error: HelioError) {
        limit?.cancel()
        end = error
        received = nil
        let opening = opening
        self.opening = nil
        opening?.fail(error)
        let onEnd = onEnd
        (self.onEnd, onEvent) = (nil, nil)
        if opening == nil { onEnd?(error) }
    }
}
