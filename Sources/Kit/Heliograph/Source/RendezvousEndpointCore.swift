internal import HelioAdmission
internal import HelioCore
private import HelioGround
internal import HelioLinks
private import HelioLoop
internal import HelioOpenSSL
internal import HelioPeerPort
internal import HelioProtection
internal import HelioRendezvous
internal import HelioRendezvousPort
internal import HelioRendezvousWire
internal import HelioServing
internal import HelioSignaling
internal import HelioTunnel
internal import NIOCore

/// A `RendezvousEndpoint`'s state on the event loop.
final class RendezvousEndpointCore {
    /// The number of links whose viewers may call: the current one, and the latest that were used.
    private static let links = 32
    /// The time without the server after which the user is told, unless it was never reached.
    private static let patience: TimeAmount = .seconds(2)

    private let place: RendezvousPlace
    private let device: RendezvousID
    private let port: PeerPort?
    private let certificate: OpenSSLDTLS
    private let settings: TunnelSettings
    private let events: SourceEvents
    private let loop: any EventLoop
    private let calls = RendezvousCalls()
    private let connection: RendezvousConnection
    private var tunnels: HostTunnels?
    /// The browsers' calls; `nil` if no browsers are served.
    private var browsers: RemoteSignalingService?
    private var devices: [RingTag: PairedDevice] = [:]
    private var links: [(tag: RingTag, secret: SecretBytes)] = []
    private var hasBegun = false
    /// The parts of a connection's state that a user is told.
    private struct News: Equatable {
        var isReached: Bool
        var refusal: RefusalReason?
        var reason: String?
    }

    /// The state that the user was told last; `nil` before the first.
    private var told: News?
    private var refusal: RefusalReason?
    private var telling: Scheduled<Void>?
    /// Ends once all packets have been sent that wake other machines.
    private(set) var waking: Task<Void, Never>?

    init(
        _ place: RendezvousPlace, _ device: RendezvousID, _ key: Ed25519Key, port: PeerPort?,
        _ certificate: OpenSSLDTLS, _ settings: TunnelSettings, events: SourceEvents, on loop: any EventLoop
    ) {
        self.place = place
        self.device = device
        self.port = port
        self.certificate = certificate
        self.settings = settings
        self.events = events
        self.loop = loop
        connection = RendezvousConnection(place, signer: key, on: loop, onEvent: { [calls] in calls.take($0) })
    }

    /// Serves by this server from now on.
    func begin(_ server: SourceServer, secret: SecretBytes?, browsers: WebCallers?) {
        var host = HostTunnels.Host(
            secret: { [weak self] in self?.secret($0) },
            adopt: { server.adopt($0, at: $1, from: $2) },
            received: { server.received($0, $1, from: $2) })
        if let browsers {
            let service = RemoteSignalingService(on: loop) { [weak self] in self?.tunnels?.released($0) }
            service.begin { browsers.take($0) }
            host.browser = { service.serve($0, $1, from: $2, $3) }
            self.browsers = service
        }
        host.wake = { [weak self] in self?.wake($0, for: $1, then: $2) ?? false }
        let tunnels = HostTunnels(
            device, port: port, certificates: certificate, settings: settings, host: host, on: loop)
        self.tunnels = tunnels
        server.setRoutes(tunnels)
        calls.feed = { [weak self] in self?.connection.feed($0) }
        calls.isNear = { [weak self] in self?.connection.isNear ?? false }
        calls.onRung = { [weak tunnels] in tunnels?.rung($0, tag: $1, address: $2, turn: $3) }
        calls.onEvent = { [weak self] in self?.take($0) }
        connection.start()
        hasBegun = true
        if let secret { permit(link: secret) } else { publish() }
    }

    /// The links' statistics of the tunnel with this path.
    func link(of path: PathID) -> String? { tunnels?.statistics(of: path)?.mediaKind?.name }

    var allDrops: [String: Int] {
        let pages = browsers?.currentStatistics.drops ?? [:]
        return .sum(connection.allDrops, tunnels?.allDrops ?? [:], pages.named("page-"))
    }

    // MARK: Permits

    private func secret(_ tag: RingTag) -> SecretBytes? {
        devices[tag]?.secret ?? links.first { $0.tag == tag }?.secret
    }

    func permit(_ list: [PairedDevice]) {
        devices = [:]
        for device in list {
            if let tag = tag(of: device.secret) { devices[tag] = device }
        }
        publish()
    }

    func permit(link secret: SecretBytes) {
        guard let tag = tag(of: secret), !links.contains(where: { $0.tag == tag }) else { return }
        links.append((tag, secret))
        if links.count > Self.links { links.removeFirst() }
        publish()
    }

    private func tag(of secret: SecretBytes) -> RingTag? {
        let crypto = OpenSSLCrypto()
        return try? CallKeys.tag(of: CallKeys.token(of: secret, for: device, crypto), crypto)
    }

    private func publish() {
        guard hasBegun else { return }
        let tags = links.map(\.tag) + devices.keys
        connection.feed(.permits(tags.prefix(RendezvousLimits.permits).map { Permit(tag: $0, seconds: 0) }))
    }

    // MARK: Waking

    /// Wakes a machine on this one's network for a paired device. Returns false if the tag is no paired device's, or
    /// outside the device's hours: a link is for one visit to this machine alone.
    private func wake(_ addresses: [HardwareAddress], for tag: RingTag, then done: @escaping (Int) -> Void) -> Bool {
        guard let device = devices[tag], device.mayCome(at: WallClock.timeOfDay) else { return false }
        let done = NIOLoopBound(done, eventLoop: loop)
        waking = Task { [loop, events, name = device.name, earlier = waking] in
            let machine = addresses.map(\.description).joined(separator: ", ")
            var networks = 0
            do throws(HelioError) {
                networks = try await WakeSender().wake(addresses)
                events.note("\(name) has had the machine \(machine) woken on this network.")
            } catch {
                events.note("\(name) wanted to wake the machine \(machine). \(error.message)")
            }
            loop.execute { [networks] in done.value(networks) }
            await earlier?.value
        }
        return true
    }

    // MARK: News of the connection

    private func take(_ event: RendezvousClient.Event) {
        switch event {
        case .online:
            refusal = nil
            tell(isReached: true)
        case .refused(let reason): refusal = reason
        case .offline:
            // A short loss, as when a server is replaced, is no news.
            if told == nil { return tell(isReached: false) }
            guard telling == nil else { return }
            telling = loop.assumeIsolated().scheduleTask(in: Self.patience) { [weak self] in
                self?.tell(isReached: false)
            }
        default: break
        }
    }

    private func tell(isReached: Bool) {
        telling?.cancel()
        telling = nil
        let failure = isReached ? nil : failure
        // A later refusal is news, too: it asks for something else than waiting.
        let news = News(isReached: isReached, refusal: isReached ? nil : refusal, reason: failure?.reason)
        guard told != news else { return }
        told = news
        events.put(.rendezvous(url: place.url, failure: failure))
    }

    private var failure: HelioError {
        let server = "The rendezvous server at \(place.url)"
        switch refusal {
        case .blocked:
            return HelioError(.refused, "\(server) admits this machine no longer: ask its operator.")
        case .replaced:
            return HelioError(
                .refused,
                "\(server) has another connection with this machine's key: share once from each folder of keys.")
        case .wrongSignature:
            return HelioError(
                .refused, "\(server) knows itself by another name: give the address that its operator tells.")
        case .protocolError, .tooMany, .tooFast, .tooSlow, .idle:
            return HelioError(.refused, "\(server) has ended the connection for now.")
        case nil: break
        }
        return connection.failure ?? HelioError(.unreachable, "The connection to \(server.lowercasedFirst) was lost.")
    }

    // MARK: End

    /// Ends the tunnels once they are through with what was given to them, or after this time.
    func stop(within time: TimeAmount) -> EventLoopFuture<Void> {
        telling?.cancel()
        calls.onRung = nil
        browsers?.end()
        let done = loop.makePromise(of: Void.self)
        guard let tunnels, tunnels.count > 0 else {
            end()
            done.succeed()
            return done.futureResult
        }
        let limit = loop.assumeIsolated().scheduleTask(in: time) { [self] in
            end()
            done.succeed()
        }
        let bound = NIOLoopBound(self, eventLoop: loop)
        tunnels.onIdle = { [weak self] in
            self?.tunnels?.onIdle = nil
            limit.cancel()
            // The last call may have ended while the connection handles its hanging up.
            bound.eventLoop.execute {
                bound.value.end()
                done.succeed()
            }
        }
        return done.futureResult
    }

    private func end() {
        let tunnels = tunnels
        self.tunnels = nil
        tunnels?.onIdle = nil
        tunnels?.close()
        connection.stop()
    }
}

extension String {
    fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
