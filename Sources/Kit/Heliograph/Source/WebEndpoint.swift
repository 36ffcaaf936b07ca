private import Foundation
internal import HelioCore
internal import HelioGround
internal import HelioHost
internal import HelioLoop
private import HelioOpenSSL
internal import HelioPeer
internal import HelioPeerPort
private import HelioProtection
private import HelioRTP
private import HelioRemoteWire
private import HelioSDP
internal import HelioServing
internal import HelioSession
internal import HelioSharing
private import HelioSignaling
internal import HelioStores
internal import HelioTLS
private import HelioTURN
private import HelioWebPages
internal import NIOCore

/// The running endpoint for browsers: the WebRTC port, and the web page with its WebSocket, connected to the host.
final class WebEndpoint: Sendable {
    /// The settings for the host's engine.
    let settings: WebSettings
    /// Human-readable notes about deviations from the options.
    let notes: [String]
    /// The WebRTC port and the WebSocket's sender, for the host's server.
    let serving: WebServing

    private let options: WebOptions
    private let address: String
    private let loop: any EventLoop
    private let sockets: PeerPort
    private let door: NIOLoopBound<WebDoor>
    private let service: LocalSignalingService

    /// The receiver of the page's connections, used on the event loop. Connections that arrive before `server` is set
    /// are closed.
    private final class WebDoor {
        let callers = WebCallers()
        var server: SourceServer?
        var sockets: PeerPort?
    }

    /// Opens the page's port and the WebRTC port. Throws `systemFailed`, `unreachable` or `invalidArgument`.
    ///
    /// - Parameters:
    ///   - address: the address to listen on, the same as the host's.
    ///   - bitrate: the maximum bitrate to one browser.
    ///   - strangers: the limit of unauthenticated clients' connections and handshakes, shared with the host.
    init(
        _ options: WebOptions, address: String, bitrate: Bitrate, identity: Identity, strangers: StrangerLimit,
        on loop: any EventLoop
    ) async throws(HelioError) {
        var configuration = PeerConnectionConfiguration()
        // Browsers decode more than the level that they announce; `StreamCapabilities.browser` has their real limits.
        if let level = H264Level(idc: 52) { configuration.codecs = [.h264(.constrainedBaseline, level: level)] }
        configuration.mostBitrate = bitrate
        configuration.clockOffset = WallClock.sinceNTPEpoch(at: MonotonicClock.now)
        var entries: [ICEServerEntry] = []
        // The user name and password are placeholders if there is a shared secret, with which credentials are made for
        // each browser later.
        let named = options.iceServers.map { server in
            options.turnSecret.isEmpty
                ? server : ICEServer(server.url, username: "made", password: "made")
        }
        let servers = try ICEServerList(
            named.map { .init(url: $0.url, username: $0.username, password: $0.password) })
        var notes = await servers.add(to: &configuration)
        // Browsers get the whole list, because they may be able to use a server that this machine can't use.
        for server in named {
            let place = try ICEServerAddress(server.url, username: server.username)
            entries.append(
                ICEServerEntry(
                    urls: [server.url], username: place.isTURN ? server.username : nil,
                    credential: place.isTURN ? server.password : nil))
        }
        let dtls: OpenSSLDTLS
        do {
            dtls = try OpenSSLDTLS(DTLSIdentity())
        } catch {
            throw HelioError(.systemFailed, "OpenSSL can't make a certificate: is its version 3?", cause: error)
        }
        let door = await Self.makeDoor(on: loop)
        let service = LocalSignalingService(
            try Self.service(options, address: address, identity: identity, strangers: strangers) { channel in
                guard let sockets = door.value.sockets else { throw ChannelError.ioOnClosedChannel }
                try sockets.acceptOnLoop(channel)
            }, on: loop)
        try await service.start { event in
            if let server = door.value.server { return door.value.callers.take(event, for: server) }
            if case .opened(let connection) = event { connection.close() }
        }
        let page = service.localPort ?? 0
        do throws(HelioError) {
            sockets = try await PeerPort.open(Self.media(options, address: address, page: page), on: loop)
        } catch {
            await service.stop()
            throw error
        }
        if options.mediaPort == nil, Int(sockets.localPort) != page {
            notes.append(
                "Browsers' pictures go by UDP port \(sockets.localPort), as \(page), the page's number, is taken there: "
                    + "a firewall can only let them through if you choose a fixed one")
        }
        try? await loop.submit { [sockets] in door.value.sockets = sockets }.get()
        self.notes = notes
        self.door = door
        self.service = service
        var settings = WebSettings(
            fingerprint: dtls.fingerprint.bytes, iceServers: entries, configuration: configuration
        ) { configuration, now in
            PeerEngine(
                configuration, crypto: OpenSSLCrypto(), certificates: dtls, random: SecureGenerator(), now: now)
        }
        settings.system = Self.system
        if !options.turnSecret.isEmpty {
            settings.turnSecret = TURNSharedSecret(
                SecretBytes(Array(options.turnSecret.utf8)),
                clockOffset: WallClock.sinceUnixEpoch(at: MonotonicClock.now))
        }
        settings.servesHTTPS = !options.usesTLS
        self.settings = settings
        serving = WebServing(
            port: sockets, order: { [door] id, order in door.value.callers.carryOut(order, for: id) })
        self.options = options
        self.address = address
        self.loop = loop
    }

    /// Makes the settings of the page's service. Throws `invalidArgument`.
    private static func service(
        _ options: WebOptions, address: String, identity: Identity, strangers: StrangerLimit,
        takesMedia: @escaping @Sendable (any Channel) throws -> Void
    ) throws(HelioError) -> LocalSignalingSettings {
        var settings = LocalSignalingSettings(
            address: address, port: options.port.map { .exactly($0) } ?? .preferably(8080),
            identity: identity, servesHTTP: !options.usesTLS, files: files())
        settings.strangers = strangers
        for name in options.allowedHosts where !HostNames.isPattern(name) {
            throw HelioError(
                .invalidArgument,
                "'\(name)' is no name to allow: give one such as desk.example.org, or *.example.org for all below it. "
                    + "Addresses need none.")
        }
        settings.allowedNames = options.allowedHosts
        for text in options.proxies {
            guard let proxy = IPAddress(text) else {
                throw HelioError(
                    .invalidArgument, "The proxy '\(text)' is no IP address: give the one that it connects from.")
            }
            settings.proxies.insert(proxy.unmapped)
        }
        settings.takesMedia = takesMedia
        return settings
    }

    /// Makes the settings of the WebRTC port. Throws `invalidArgument`.
    private static func media(
        _ options: WebOptions, address: String, page: Int
    ) throws(HelioError) -> PeerPortSettings {
        var settings = PeerPortSettings()
        // Media are sent and received on a single address if the host listens on that address only.
        if let ip = IPAddress(address), !ip.isUnspecified { settings.addresses = [ip] }
        settings.includesLoopback = true
        guard let port = UInt16(exactly: options.mediaPort ?? page) else {
            throw HelioError(
                .invalidArgument, "The UDP port \(options.mediaPort ?? page): give a number from 0 to 65535.")
        }
        settings.port = port
        settings.fallsBack = options.mediaPort == nil
        settings.sharedTCPPort = UInt16(exactly: page)
        return settings
    }

    /// The page as one bundled file at `/`, and its scripts and styles as separate files, for inspection. If bundling
    /// fails, `/` is the page that refers to the separate files.
    private static func files() -> [PageFile] {
        let bundle = try? WebPages.bundle()
        return (WebPages.files + (bundle.map { [$0] } ?? [])).map { file in
            PageFile(
                path: file.path, bytes: file.bytes, type: file.type, gzipped: file.gzipped(),
                inlineScripts: file.inlineScripts, inlineStyles: file.inlineStyles)
        }
    }

    /// This machine's operating system, which determines the meaning of viewers' keys; `nil` for a system other than
    /// Linux and macOS.
    private static var system: HostSystem? {
        #if os(Linux)
        .linux
        #elseif os(macOS)
        .macos
        #else
        nil
        #endif
    }

    private static func makeDoor(on loop: any EventLoop) async -> NIOLoopBound<WebDoor> {
        await withCheckedContinuation { continuation in
            loop.execute { continuation.resume(returning: NIOLoopBound(WebDoor(), eventLoop: loop)) }
        }
    }

    /// Admits browsers from now on, to a running host.
    func open(for server: SourceServer) async {
        try? await loop.submit { [door] in door.value.server = server }.get()
    }

    /// The page's URL at one of this machine's addresses, for display. With a link's secret appended, it admits a
    /// browser.
    func url(at host: String) -> String {
        "\(options.usesTLS ? "https" : "http")://\(Authority.text(host, port: port))/"
    }

    /// The page's URL at the address that viewers are likeliest to reach.
    var url: String { url(at: LocalAddress.reachable(listeningAt: address)[0]) }

    var port: Int { service.localPort ?? 0 }

    func drops() async -> [String: Int] {
        let (page, peers) = (await service.statistics(), try? await sockets.statistics())
        return .sum(page.drops.named("page-"), peers?.drops.named("web-"))
    }

    /// Closes the page's port and the WebRTC port. Called after the host's server has stopped and has sent its last
    /// messages.
    func stop() async {
        await service.stop()
        await sockets.close()
    }
}
