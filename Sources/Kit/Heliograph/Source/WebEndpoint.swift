internal import HelioCore
internal import HelioGround
internal import HelioHost
private import HelioOpenSSL
internal import HelioPeer
internal import HelioPeerPort
private import HelioProtection
private import HelioRTP
private import HelioRemoteWire
private import HelioSDP
internal import HelioServing
internal import HelioSharing
internal import HelioStores
internal import HelioTLS
private import HelioTURN
internal import NIOCore

/// The running endpoint for browsers: the WebRTC port, and the web page with its WebSocket, connected to the host.
final class WebEndpoint: Sendable {
    /// The settings for the host's engine.
    let settings: WebSettings
    /// Human-readable notes about deviations from the options.
    let notes: [String]
    /// The WebRTC port and the browsers' WebSockets, for the host's server.
    let serving: WebServing

    private let options: WebOptions
    private let address: String
    private let page: WebPage
    private let media: PeerPort

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
        var configuration = Self.configuration(bitrate: bitrate)
        let servers = Self.iceServers(options)
        let entries = try Self.entries(servers)
        var notes = try await Self.add(servers, to: &configuration)
        let certificate = try Self.makeCertificate()
        page = try await WebPage(options, address: address, identity: identity, strangers: strangers, on: loop)
        do throws(HelioError) {
            media = try await PeerPort.open(Self.portSettings(options, address: address, page: page.port), on: loop)
        } catch {
            await page.stop()
            throw error
        }
        await page.open(for: media)
        if options.mediaPort == nil, Int(media.localPort) != page.port {
            notes.append(
                "Browsers' pictures go by UDP port \(media.localPort), as \(page.port), the page's number, is taken "
                    + "there: a firewall can only let them through if you choose a fixed one")
        }
        self.notes = notes
        settings = Self.settings(options, certificate, iceServers: entries, configuration)
        serving = WebServing(port: media, sockets: page)
        self.options = options
        self.address = address
    }

    private static func configuration(bitrate: Bitrate) -> PeerConnectionConfiguration {
        var configuration = PeerConnectionConfiguration()
        // Browsers decode more than the level that they announce; `StreamCapabilities.browser` has their real limits.
        if let level = H264Level(idc: 52) { configuration.codecs = [.h264(.constrainedBaseline, level: level)] }
        configuration.mostBitrate = bitrate
        configuration.clockOffset = WallClock.sinceNTPEpoch(at: MonotonicClock.now)
        return configuration
    }

    // MARK: ICE servers

    /// The servers of the options. If there is a shared secret, their user name and password are placeholders, as
    /// credentials are made for each browser later.
    private static func iceServers(_ options: WebOptions) -> [ICEServer] {
        if options.turnSecret.isEmpty { return options.iceServers }
        return options.iceServers.map { ICEServer($0.url, username: "made", password: "made") }
    }

    /// The servers as browsers are sent them: all of them, because browsers may be able to use a server that this
    /// machine can't use. Throws `invalidArgument`.
    private static func entries(_ servers: [ICEServer]) throws(HelioError) -> [ICEServerEntry] {
        var entries: [ICEServerEntry] = []
        for server in servers {
            let place = try ICEServerAddress(server.url, username: server.username)
            entries.append(
                ICEServerEntry(
                    urls: [server.url], username: place.isTURN ? server.username : nil,
                    credential: place.isTURN ? server.password : nil))
        }
        return entries
    }

    /// Resolves the servers that this machine can use, and adds them to the configuration. Throws `invalidArgument`.
    ///
    /// - Returns: a sentence for each server that is left out.
    private static func add(
        _ servers: [ICEServer], to configuration: inout PeerConnectionConfiguration
    ) async throws(HelioError) -> [String] {
        let list = try ICEServerList(
            servers.map { .init(url: $0.url, username: $0.username, password: $0.password) })
        return await list.add(to: &configuration)
    }

    // MARK: Certificate and settings

    private static func makeCertificate() throws(HelioError) -> OpenSSLDTLS {
        do {
            return try OpenSSLDTLS(DTLSIdentity())
        } catch {
            throw HelioError(.systemFailed, "OpenSSL can't make a certificate: is its version 3?", cause: error)
        }
    }

    /// Makes the settings for the host's engine.
    private static func settings(
        _ options: WebOptions, _ certificate: OpenSSLDTLS, iceServers: [ICEServerEntry],
        _ configuration: PeerConnectionConfiguration
    ) -> WebSettings {
        var settings = WebSettings(
            fingerprint: certificate.fingerprint.bytes, iceServers: iceServers, configuration: configuration
        ) { configuration, now in
            PeerEngine(
                configuration, crypto: OpenSSLCrypto(), certificates: certificate, random: SecureGenerator(), now: now)
        }
        settings.system = system
        if !options.turnSecret.isEmpty {
            settings.turnSecret = TURNSharedSecret(
                SecretBytes(Array(options.turnSecret.utf8)),
                clockOffset: WallClock.sinceUnixEpoch(at: MonotonicClock.now))
        }
        settings.servesHTTPS = !options.usesTLS
        return settings
    }

    /// Makes the settings of the WebRTC port. Throws `invalidArgument`.
    private static func portSettings(
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

    /// Admits browsers from now on, to a running host.
    func open(for server: SourceServer) async { await page.open(for: server) }

    /// The page's URL at one of this machine's addresses, for display. With a link's secret appended, it admits a
    /// browser.
    func url(at host: String) -> String {
        "\(options.usesTLS ? "https" : "http")://\(Authority.text(host, port: page.port))/"
    }

    var port: Int { page.port }

    /// The connections of browsers, for further signalling services.
    var callers: NIOLoopBound<WebCallers> { page.callers }

    /// The page's URL at the address that viewers can most likely reach.
    var url: String { url(at: LocalAddress.reachable(listeningAt: address)[0]) }

    func drops() async -> [String: Int] {
        let (page, peers) = (await self.page.drops(), try? await media.statistics())
        return .sum(page.named("page-"), peers?.drops.named("web-"))
    }

    /// Closes the page's port and the WebRTC port. Called after the host's server has stopped and has sent its last
    /// messages.
    func stop() async {
        await page.stop()
        await media.close()
    }
}
