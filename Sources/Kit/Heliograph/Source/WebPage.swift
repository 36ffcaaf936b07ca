internal import HelioCore
internal import HelioPeerPort
internal import HelioServing
internal import HelioSharing
private import HelioSignaling
internal import HelioStores
internal import HelioTLS
internal import NIOCore

/// The web page on its TCP port, with the WebSockets of its viewers.
final class WebPage: WebSockets {
    let port: Int
    private let loop: any EventLoop
    let callers: NIOLoopBound<WebCallers>
    private let service: LocalSignalingService

    /// Opens the port. Throws `invalidArgument` or `systemFailed`.
    ///
    /// - Parameters:
    ///   - address: the address to listen on.
    ///   - strangers: the limit of unauthenticated clients' connections and handshakes, shared with the host.
    init(
        _ options: WebOptions, address: String, identity: Identity, strangers: StrangerLimit, on loop: any EventLoop
    ) async throws(HelioError) {
        let callers = await Self.makeCallers(on: loop)
        service = LocalSignalingService(
            try Self.settings(options, address: address, identity: identity, strangers: strangers) { channel in
                try callers.value.takeMedia(channel)
            }, on: loop)
        try await service.start { callers.value.take($0) }
        port = service.localPort ?? 0
        self.callers = callers
        self.loop = loop
    }

    private static func makeCallers(on loop: any EventLoop) async -> NIOLoopBound<WebCallers> {
        await withCheckedContinuation { continuation in
            loop.execute { continuation.resume(returning: NIOLoopBound(WebCallers(), eventLoop: loop)) }
        }
    }

    /// Makes the settings of the page's service. Throws `invalidArgument`.
    private static func settings(
        _ options: WebOptions, address: String, identity: Identity, strangers: StrangerLimit,
        takesMedia: @escaping @Sendable (any Channel) throws -> Void
    ) throws(HelioError) -> LocalSignalingSettings {
        var settings = LocalSignalingSettings(
            address: address, port: options.port.map { .exactly($0) } ?? .preferably(8080),
            identity: identity, servesHTTP: !options.usesTLS, files: PageFiles.forHost())
        settings.strangers = strangers
        try settings.allow(options.allowedHosts)
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

    /// Passes connections for media to the WebRTC port from now on.
    func open(for media: PeerPort) async {
        try? await loop.submit { [callers] in callers.value.media = media }.get()
    }

    /// Admits browsers from now on, to a running host.
    func open(for server: SourceServer) async {
        try? await loop.submit { [callers] in callers.value.server = server }.get()
    }

    func send(_ message: [UInt8], to viewer: ConnectionID) { callers.value.send(message, to: viewer) }

    func close(_ viewer: ConnectionID) { callers.value.close(viewer) }

    /// Counts of all drops, by name.
    func drops() async -> [String: Int] { await service.statistics().drops }

    func stop() async { await service.stop() }
}
