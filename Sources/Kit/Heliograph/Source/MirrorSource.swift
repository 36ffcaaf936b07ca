private import Foundation
private import HelioControl
public import HelioCore
private import HelioLinuxSource
private import HelioProtection
private import HelioSession
private import HelioTransport
private import NIOCore
private import NIOPosix
private import Synchronization

/// Shares a screen: captures it, encodes it, serves viewers and lets those who may drive it.
///
/// ```swift
/// let source = try await MirrorSource.start(.init())
/// print(source.link.text)
/// for await event in source.events { print(event) }
/// ```
public final class MirrorSource: Sendable {
    /// What is shared, where and how well.
    public struct Options: Sendable {
        /// X display, as in `$DISPLAY`, which is taken when `nil`.
        public var display: String?
        /// Number or name of the monitor; `nil` shares the primary one.
        public var screen: String?
        /// The address to listen on.
        public var address = "0.0.0.0"
        /// TCP and UDP port; control has the next UDP port. 0 picks free ones.
        public var port = 7236
        /// The ceiling of the frame rate.
        public var framesPerSecond = 60
        /// The ceiling of the bitrate, bits a second.
        public var bitrate = 20_000_000
        /// `true` keeps every pixel's own colour (4:4:4).
        public var fullChroma = false
        /// Use H.265 where this machine can code it.
        public var prefersH265 = false
        /// Viewers may only watch.
        public var isViewOnly = false
        /// Opens an endpoint for ordinary players; `nil` opens none.
        public var players: PlayerOptions?

        /// The primary screen, H.264, to be watched and driven, on every address.
        public init() {}
    }

    /// What an app or a person may want to know.
    public enum Event: Sendable {
        /// A new link, since the last one has let somebody in.
        case link(Link)
        case viewerJoined(address: String)
        case viewerLeft(address: String, reason: String)
        /// Somebody was not let in.
        case viewerRefused(address: String, reason: String)
        /// Something worth knowing; sharing goes on.
        case info(String)
        /// Sharing has ended by itself, and why.
        case failed(HelioError)
    }

    /// What lets one viewer in.
    public struct Link: Sendable {
        /// The whole link, with its secret.
        public let text: String
        /// The secret alone, to be typed beside the host's address.
        public let code: String
    }

    /// What happens; ends when sharing ends.
    public let events: AsyncStream<Event>
    /// The port that was taken.
    public let port: Int
    /// For people: what codes the pictures.
    public let encoder: String
    /// The size of what is shared, in pixels.
    public let size: (width: Int, height: Int)
    /// Where ordinary players find the stream; `nil` where there is no endpoint for them.
    public let playerURL: String?
    /// What the display could not do, for people.
    public let notes: [String]

    private let continuation: AsyncStream<Event>.Continuation
    private let server: SourceServer
    private let players: PlayerEndpoint?
    private let controls: SourceControls
    private let group: MultiThreadedEventLoopGroup
    private let identity: Identity
    private let host: String
    private let mediaThread: WorkerThread

    /// Starts to share.
    ///
    /// Throws `captureFailed`, `encoderFailed`, `unsupported` or `systemFailed`, saying what to do about it.
    public static func start(_ options: Options) async throws(HelioError) -> MirrorSource {
        try options.players?.validate()
        let identity = try Identity.loadOrCreate(in: HeliographHome.path)
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        do throws(HelioError) {
            return try await MirrorSource(options, identity: identity, group: group)
        } catch {
            try? await group.shutdownGracefully()
            throw error
        }
    }

    private init(
        _ options: Options, identity: Identity, group: MultiThreadedEventLoopGroup
    ) async throws(HelioError) {
        let capture = try X11ScreenCapture(
            display: options.display, monitor: options.screen, pollRate: options.framesPerSecond)
        let cursor = try X11CursorSource(capture)
        let format = VideoFormat(
            codec: options.prefersH265 ? .h265 : .h264, size: capture.size,
            framesPerSecond: options.framesPerSecond, bitrate: Bitrate(bitsPerSecond: options.bitrate),
            chroma: options.fullChroma ? .yuv444 : .yuv420)
        let controls = SourceControls(bell: capture.waker)
        let audience = Audience { controls.setWatched($0) }
        let (events, continuation) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: .bufferingNewest(256))
        let host = options.address == "0.0.0.0" || options.address == "::" ? LocalAddress.mostLikely : options.address
        let port = Mutex(0)
        let injector =
            options.isViewOnly
            ? nil
            : DirectInjector(
                try XTestInjector(display: options.display, origin: (capture.area.x, capture.area.y)))
        group.next().execute { ThreadPriority.raise() }
        let server = try await SourceServer.start(
            .init(
                address: options.address, port: options.port,
                host: .init(format: format, allowsControl: !options.isViewOnly)),
            identity: identity, on: group.next(),
            onEvent: { event in
                switch event {
                case .keyframeNeeded(let reason): controls.requestKeyframe(reason)
                case .bitrate(let rate): controls.setBitrate(rate)
                case .watched(let watched): audience.setViewers(watched)
                case .joined(_, let address): continuation.yield(.viewerJoined(address: address))
                case .left(_, let address, let reason):
                    continuation.yield(.viewerLeft(address: address, reason: reason))
                case .refused(let address, let refusal):
                    continuation.yield(.viewerRefused(address: address, reason: refusal.rawValue))
                case .linkReplaced(let secret):
                    let link = ShareLink(
                        host: host, port: UInt16(port.withLock { $0 }), fingerprint: identity.fingerprint,
                        secret: secret.bytes)
                    continuation.yield(.link(Link(text: link.text, code: link.code)))
                }
            },
            inject: { injector?.inject($0) })
        port.withLock { $0 = server.localPort }
        let players: PlayerEndpoint?
        do throws(HelioError) {
            players = try await options.players?.open(
                format: format, controls: controls, audience: audience, on: group.next()
            ) { continuation.yield($0) }
        } catch {
            await server.stop()
            throw error
        }

        let pipeline: SourcePipeline<X11ScreenCapture>
        do throws(HelioError) {
            pipeline = try SourcePipeline(
                capture: capture, format: format, controls: controls,
                surroundings: .init(
                    now: { MonotonicClock.now },
                    submit: { slice in
                        let isTaken = server.submit(SourceHost.Input.slice(slice))
                        return players?.submit(slice) ?? true && isTaken
                    },
                    formatChanged: { format in
                        _ = server.submit(SourceHost.Input.format(format))
                        players?.change(format)
                    },
                    pollCursor: { () throws(HelioError) in
                        if let shape = try cursor.takeShape() { _ = server.submit(SourceHost.Input.cursorShape(shape)) }
                        if let (x, y) = try cursor.takePosition() {
                            server.tellCursor(x: x, y: y)
                        }
                    },
                    note: { continuation.yield(.info($0)) }),
                makeEncoder: { format throws(HelioError) in try EncoderFactory.make(format: format) })
        } catch {
            await players?.stop()
            await server.stop()
            throw error
        }
        self.events = events
        self.continuation = continuation
        self.server = server
        self.players = players
        playerURL = players?.url
        self.controls = controls
        self.group = group
        self.identity = identity
        self.host = host
        self.port = server.localPort
        encoder = pipeline.encoderSummary
        size = (capture.size.width, capture.size.height)
        notes = capture.notes
        mediaThread = WorkerThread(name: "heliograph-media") {
            do throws(HelioError) {
                try pipeline.run()
            } catch {
                continuation.yield(.failed(error))
                continuation.finish()
            }
        }
    }

    /// The link that lets the next viewer in.
    public var link: Link {
        get async throws {
            let link = ShareLink(
                host: host, port: UInt16(port), fingerprint: identity.fingerprint,
                secret: try await server.currentSecret().bytes)
            return Link(text: link.text, code: link.code)
        }
    }

    /// Ends sharing: every viewer is told, all sockets are closed.
    public func stop() async {
        controls.stop()
        await mediaThread.join()
        await players?.stop()
        await server.stop()
        try? await group.shutdownGracefully()
        continuation.finish()
    }
}
