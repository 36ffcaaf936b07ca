internal import HelioAdmission
internal import HelioCore
private import HelioOpenSSL
private import HelioPeerPort
internal import HelioProtection
private import HelioRendezvous
private import HelioRendezvousPort
internal import HelioServing
private import HelioSharing
private import HelioStores
private import HelioTunnel
internal import NIOCore

/// A source's endpoint for viewers on all networks: registers this machine at a rendezvous server, permits its paired
/// devices and the viewers with a link to call it, and serves the sessions that come by calls and by ICE.
///
/// A server that is lost or can't be reached is tried again for as long as the source runs; running sessions go on by
/// the paths that ICE has found.
final class RendezvousEndpoint: Sendable {
    /// The longest time that the goodbyes to viewers may take when sharing ends.
    private static let goodbyeTime: TimeAmount = .milliseconds(500)

    /// The place where viewers reach this machine, for links and pairings.
    let place: HostRendezvous
    private let loop: any EventLoop
    private let port: PeerPort?
    private let core: NIOLoopBound<RendezvousEndpointCore>

    /// Opens the sockets for ICE; `begin` registers. Throws `invalidArgument` for a malformed address of the server,
    /// and `systemFailed` if this machine's key can't be used.
    init(_ server: String, on ground: Groundwork) async throws(HelioError) {
        let (loop, options) = (ground.loop, ground.options)
        let server = try RendezvousPlace(parsing: server)
        let key = try options.places.deviceKey()
        guard let device = try? CallKeys.device(of: key.publicKey, OpenSSLCrypto()),
            let place = HostRendezvous(device: device, server: "\(server)")
        else { throw HelioError(.systemFailed, "This machine's name for the rendezvous server can't be made.") }
        let certificate = try TunnelGround.makeCertificate()
        let port = await TunnelGround.openPort(for: server, at: options.address, on: loop)
        var settings = TunnelSettings()
        // Credentials that are made for each browser can't be made here: the rendezvous server lends its own.
        if let web = options.web, web.turnSecret.isEmpty { settings.iceServers = web.iceServers }
        do {
            core = try await loop.submit { [settings, events = ground.events] in
                NIOLoopBound(
                    RendezvousEndpointCore(
                        server, device, key, port: port, certificate, settings, events: events, on: loop),
                    eventLoop: loop)
            }.get()
        } catch {
            await port?.close()
            throw HelioError(.systemFailed, "The network's loop has ended.", cause: error)
        }
        self.place = place
        self.loop = loop
        self.port = port
    }

    /// Registers, and serves viewers by this server from now on.
    ///
    /// - Parameters:
    ///   - secret: the secret of the current link; `nil` if no links are admitted.
    ///   - browsers: takes the browsers that call; `nil` serves none.
    func begin(_ server: SourceServer, secret: SecretBytes?, browsers: NIOLoopBound<WebCallers>?) {
        loop.execute { [core] in core.value.begin(server, secret: secret, browsers: browsers?.value) }
    }

    /// Permits these devices to call, and no others. On the loop only.
    func permit(_ devices: [PairedDevice]) { core.value.permit(devices) }

    /// Permits the viewer with a new link to call. Those of earlier links may still call, to come back with what the
    /// host gave them for this; a link that was used admits nobody. On the loop only.
    func permit(link secret: SecretBytes) { core.value.permit(link: secret) }

    /// The kinds of the links to viewers with these virtual paths; `nil` for each that has none.
    func links(of paths: [PathID?]) async -> [String?] {
        let links = try? await loop.submit { [core] in paths.map { $0.flatMap { core.value.link(of: $0) } } }.get()
        return links ?? []
    }

    /// Counts of drops by name.
    func drops() async -> [String: Int] {
        let counts = (try? await loop.submit { [core] in core.value.allDrops }.get()) ?? [:]
        let ice = try? await port?.statistics().drops
        return .sum(counts.named("rendezvous-"), (ice ?? [:]).named("rendezvous-"))
    }

    /// Ends all tunnels, once they have delivered the server's last messages. Called after the server has stopped.
    func stop() async {
        let core = core
        try? await loop.flatSubmit { core.value.stop(within: Self.goodbyeTime) }.get()
        try? await loop.submit { core.value.waking }.get()?.value
        await port?.close()
    }
}
