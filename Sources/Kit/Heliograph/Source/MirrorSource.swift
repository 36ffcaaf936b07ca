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
        /// Whether somebody answers `Event.pairingAsked`; nobody is paired by comparing codes otherwise.
        public var asksToPair = false
        /// A code, XXXX-XXXX-XXXX-XXXX, that pairs one device without a person; see `DeviceBook.makeCode`.
        public var pairingCode: String?
        /// What this machine calls itself to devices that it is paired with; `nil` takes its host name.
        public var name: String?

        /// The primary screen, H.264, to be watched and driven, on every address.
        public init() {}
    }

    /// What an app or a person may want to know.
    public enum Event: Sendable {
        /// A new link, since the last one has let somebody in.
        case link(Link)
        /// Somebody watches; `device` is the name of a paired one.
        case viewerJoined(address: String, device: String?)
        case viewerLeft(address: String, device: String?, reason: String)
        /// A device wants to be paired: compare its code with this one, then call `answer`.
        case pairingAsked(PairingQuestion)
        /// That question needs no answer any more.
        case pairingOver(PairingQuestion.ID)
        /// A device may come without asking from now on.
        case paired(address: String, device: String)
        /// Somebody was not paired.
        case pairingRefused(address: String, reason: String)
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
    /// What the display could not do, for people.
    public let notes: [String]

    private let continuation: AsyncStream<Event>.Continuation
    private let server: SourceServer
    private let controls: SourceControls
    private let group: MultiThreadedEventLoopGroup
    private let identity: Identity
    private let host: String
    private let mediaThread: WorkerThread

    /// Starts to share.
    ///
    /// Throws `captureFailed`, `encoderFailed`, `unsupported` or `systemFailed`, saying what to do about it.
    public static func start(_ options: Options) async throws(HelioError) -> MirrorSource {
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
                host: .init(
                    format: format, allowsControl: !options.isViewOnly,
                    pairing: .init(
                        asks: options.asksToPair,
                        code: try options.pairingCode.map { code throws(HelioError) in
                            SecretBytes(try ShareLink.secret(code))
                        }), name: options.name ?? ProcessInfo.processInfo.hostName)),
            identity: identity, devices: DeviceStore(in: HeliographHome.path), on: group.next(),
            onEvent: { event in
                switch event {
                case .keyframeNeeded(let reason): controls.requestKeyframe(reason)
                case .bitrate(let rate): controls.setBitrate(rate)
                case .watched(let watched): controls.setWatched(watched)
                case .joined(_, let address, let device):
                    continuation.yield(.viewerJoined(address: address, device: device))
                case .left(_, let address, let device, let reason):
                    continuation.yield(.viewerLeft(address: address, device: device, reason: reason))
                case .pairingAsked(let question): continuation.yield(.pairingAsked(PairingQuestion(question)))
                case .pairingOver(let connection): continuation.yield(.pairingOver(.init(connection)))
                case .paired(let device, let address):
                    continuation.yield(.paired(address: address, device: device.name))
                case .pairingRefused(let address, let refusal):
                    continuation.yield(.pairingRefused(address: address, reason: refusal.rawValue))
                case .refused(let address, let refusal):
                    continuation.yield(.viewerRefused(address: address, reason: refusal.rawValue))
                case .linkReplaced(let secret):
                    let link = ShareLink(
                        host: host, port: UInt16(port.withLock { $0 }), fingerprint: identity.fingerprint,
                        secret: secret.bytes)
                    continuation.yield(.link(Link(text: link.text, code: link.code)))
                }
            },
            onNote: { continuation.yield(.info($0)) }, inject: { injector?.inject($0) })
        port.withLock { $0 = server.localPort }

        let pipeline: SourcePipeline<X11ScreenCapture>
        do throws(HelioError) {
            pipeline = try SourcePipeline(
                capture: capture, format: format, controls: controls,
                surroundings: .init(
                    now: { MonotonicClock.now },
                    submit: { server.submit(SourceHost.Input.slice($0)) },
                    formatChanged: { _ = server.submit(SourceHost.Input.format($0)) },
                    pollCursor: { () throws(HelioError) in
                        if let shape = try cursor.takeShape() { _ = server.submit(SourceHost.Input.cursorShape(shape)) }
                        if let (x, y) = try cursor.takePosition() {
                            server.tellCursor(x: x, y: y)
                        }
                    },
                    note: { continuation.yield(.info($0)) }),
                makeEncoder: { format throws(HelioError) in try EncoderFactory.make(format: format) })
        } catch {
            await server.stop()
            throw error
        }
        self.events = events
        self.continuation = continuation
        self.server = server
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

    /// Answers a `PairingQuestion`; too late is no harm.
    public func answer(_ question: PairingQuestion.ID, _ answer: PairingQuestion.Answer) {
        server.answerPairing(question.connection, answer.forDesk)
    }

    /// Takes control back at once: nobody drives any more, and all that viewers hold down is let go.
    ///
    /// They go on watching. `setControl(allowed: true)` gives it back.
    public func takeControl() { setControl(allowed: false) }

    /// Takes control back from viewers, or lets them drive again as far as the options and their pairing allow.
    ///
    /// - Parameter viewer: a device's name or an address, as in the events; `nil` is everybody, also those to come.
    public func setControl(allowed: Bool, for viewer: String? = nil) {
        server.permitControl(allowed, viewer: viewer)
    }

    /// Ends sharing: every viewer is told, all sockets are closed.
    public func stop() async {
        controls.stop()
        await mediaThread.join()
        await server.stop()
        try? await group.shutdownGracefully()
        continuation.finish()
    }
}
