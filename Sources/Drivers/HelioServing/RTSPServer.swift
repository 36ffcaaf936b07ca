package import HelioCore
internal import HelioGround
internal import HelioLoop
private import HelioOpenSSL
package import HelioRTSPServer
package import NIOCore

/// An RTSP server for third-party programs, which play from it or record to it, depending on its engine: a TCP port for
/// RTSP and a pair of UDP ports for RTP and RTCP, on one event loop.
package final class RTSPServer<E: RTSPServerEngine>: Sendable {
    package struct Settings: Sendable {
        /// The address to listen on.
        package var address: String
        /// The TCP port of RTSP; 0 picks a free one. The UDP ports are always free ones.
        package var port: Int
        /// The credentials of clients; `nil` admits every client.
        package var credentials: ServerCredentials?

        package init(address: String, port: Int, credentials: ServerCredentials?) {
            self.address = address
            self.port = port
            self.credentials = credentials
        }
    }

    /// The parameters in which the play server and the record server differ.
    struct Kind: Sendable {
        /// The prefix of the names under which drops of connections are counted.
        var name: String
        /// The maximum number of queued inputs from other threads.
        var inputsWaiting: Int
        var connectionLimit: Int
        /// The maximum number of datagrams that are read at once.
        var batch: Int
        /// The beginning of the error message if the server can't start: 'Players can't be served at'.
        var failure: String
        var remedy: HelioError.Remedy
    }

    package let localPort: Int
    private let kind: Kind
    private let loop: any EventLoop
    private let core: NIOLoopBound<RTSPServerCore<E>>
    private let inbox: EngineInbox<E.Input>

    /// Opens the RTSP port, and starts the engine.
    static func start(
        _ kind: Kind, _ settings: Settings, on loop: any EventLoop, onEvent: @escaping @Sendable (E.Event) -> Void,
        make: @escaping @Sendable (_ now: Instant) -> E
    ) async throws(HelioError) -> RTSPServer {
        do {
            return try await loop.flatSubmit { () -> EventLoopFuture<RTSPServer> in
                let core = RTSPServerCore(
                    make(MonotonicClock.now), loop: loop, limit: kind.connectionLimit, onEvent: onEvent)
                let bound = NIOLoopBound(core, eventLoop: loop)
                let server = core.listen(on: settings.address, port: settings.port, batch: kind.batch).map { port in
                    RTSPServer(kind, port: port, loop: loop, core: bound)
                }
                server.whenFailure { _ in bound.value.stop() }
                return server
            }.get()
        } catch {
            let place = Authority.text(settings.address, port: settings.port)
            throw HelioError(
                .systemFailed, "\(kind.failure) \(place): \(NetworkFailure.words(error)).", remedy: kind.remedy,
                cause: error)
        }
    }

    private init(_ kind: Kind, port: Int, loop: any EventLoop, core: NIOLoopBound<RTSPServerCore<E>>) {
        self.kind = kind
        localPort = port
        self.loop = loop
        self.core = core
        inbox = EngineInbox(capacity: kind.inputsWaiting, refusedAs: "request-queue-full", on: loop) {
            core.value.feed($0)
        }
    }

    /// Queues an input from another thread, such as a keyframe request of the decoder. Never blocks.
    package func submit(_ input: consuming E.Input) { _ = inbox.put(input) }

    package func statistics() async throws -> E.Statistics {
        var (statistics, connections) = try await loop.submit { [core] in core.value.statistics }.get()
        statistics.drops.add(connections.named("\(kind.name)-connection-"), inbox)
        return statistics
    }

    /// Ends every session properly, and closes all sockets.
    package func stop() async {
        try? await loop.submit { [core] in core.value.stop() }.get()
    }
}

extension RTSPServer where E == RTSPPlayServer {
    /// Starts a server that other programs play the encoded stream from.
    ///
    /// - Parameters:
    ///   - sound: the encoding of the sound that players get beside the picture; `nil` for none.
    ///   - stream: supplies the stream that players get.
    ///   - onEvent: called on the event loop with each event; must not block.
    package static func start(
        _ settings: Settings, format: VideoFormat, sound: SoundEncode? = nil, soundOrigin: SoundOrigin = .system,
        stream: StreamMailbox, on loop: any EventLoop,
        onEvent: @escaping @Sendable (E.Event) -> Void
    ) async throws(HelioError) -> RTSPServer {
        let kind = Kind(
            name: "player", inputsWaiting: 16, connectionLimit: 64, batch: 8,
            failure: "Players can't be served at", remedy: .choosePlayerAddress)
        let server = try await start(kind, settings, on: loop, onEvent: onEvent) { now in
            RTSPPlayServer(
                .init(
                    format: format, sound: sound, soundOrigin: soundOrigin, credentials: settings.credentials,
                    clockOffset: WallClock.sinceNTPEpoch(at: now)),
                crypto: OpenSSLCrypto(), random: SecureGenerator(), now: now)
        }
        loop.execute { [core = server.core] in stream.add(core.value.engine) }
        return server
    }
}

extension RTSPServer where E == RTSPRecordServer {
    /// Starts a server that other programs record to.
    ///
    /// - Parameter onEvent: called on the event loop with each event; must not block.
    package static func start(
        _ settings: Settings, on loop: any EventLoop, onEvent: @escaping @Sendable (E.Event) -> Void
    ) async throws(HelioError) -> RTSPServer {
        let kind = Kind(
            name: "recording", inputsWaiting: 64, connectionLimit: 32, batch: 32,
            failure: "Nobody can publish to", remedy: .chooseReceivingAddress)
        return try await start(kind, settings, on: loop, onEvent: onEvent) { _ in
            RTSPRecordServer(
                .init(credentials: settings.credentials), crypto: OpenSSLCrypto(), random: SecureGenerator())
        }
    }
}
