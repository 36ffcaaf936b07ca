import HelioCore
import HelioLinks
import HelioOpenSSL
import HelioPeerPort
import HelioProtection
import HelioRendezvous
import HelioRendezvousWire
import HelioServing
import HelioTunnel
import NIOCore
import NIOPosix

/// A viewer's tunnel and a host's, in one process, joined by a call without a rendezvous; the host returns every byte
/// of the stream and every datagram.
///
/// Unchecked, as everything but the streams of events is used on the loop alone.
final class TunnelWorld: @unchecked Sendable {
    enum Happening: Sendable {
        case opened
        case bytes([UInt8])
        case datagram([UInt8], ServedDatagram)
        case event(TunnelEvent)
        /// The viewer's tunnel has ended, or could not be opened.
        case ended(HelioError)
        case streamClosed
        case hostClosed
    }

    static let loop = MultiThreadedEventLoopGroup.singleton.next()
    static let address = "192.0.2.1"
    private static let identity = Result { () throws in try OpenSSLDTLS(DTLSIdentity()) }

    let happenings: AsyncStream<Happening>
    private let tell: AsyncStream<Happening>.Continuation
    let secret = SecretBytes([UInt8](repeating: 7, count: 32))
    let device = RendezvousID([UInt8](repeating: 3, count: 16))!
    private let settings: TunnelSettings
    private let ports: (viewer: PeerPort?, host: PeerPort?)
    private(set) var host: HostTunnels!
    private(set) var viewer: ViewerTunnel?
    private(set) var call: JoinedCall?
    private var session: (any Channel)?
    /// The secret that the host has for the viewer's tag; `nil` if it has none.
    var hostSecret: SecretBytes?
    /// The number of streams that the host was given, and of datagrams that it has received.
    private(set) var adopted = 0
    private(set) var heard = 0
    /// What a malicious rendezvous makes of the events of each new call (`JoinedCall.tamper`).
    var tamper: ((CallEvent, _ isRingers: Bool) -> [CallEvent]?)?
    /// The host's ends of the links by local sockets.
    var hostLinks: [StandInLink] = []
    /// The number of networks on which the host sends packets to wake a machine, for each request; `nil` if the
    /// ringer's tag is no paired device's.
    var wake: (([HardwareAddress], RingTag) -> Int?)?
    /// The calls that requests to wake a machine have made, which the ends don't keep.
    var wakeCalls: [JoinedCall] = []
    /// The stand-in that answers a ring in the host's place.
    var impostor: ((JoinedCall, RingToken) -> Void)?

    /// A port on loopback, with UDP or TCP alone.
    static func port(udp: Bool) async throws -> PeerPort {
        var settings = PeerPortSettings()
        settings.addresses = [.v4(0x7F00_0001)]
        settings.usesUDP = udp
        settings.usesTCP = !udp
        return try await PeerPort.open(settings, on: loop)
    }

    init(
        viewer: PeerPort? = nil, host: PeerPort? = nil, configure: (inout TunnelSettings) -> Void = { _ in }
    ) async throws {
        var changed = TunnelSettings()
        configure(&changed)
        let settings = changed
        self.settings = settings
        ports = (viewer, host)
        (happenings, tell) = AsyncStream.makeStream(of: Happening.self)
        hostSecret = secret
        try await startHost()
    }

    /// Starts the host, or starts it anew: it remembers nothing of earlier calls.
    func startHost() async throws {
        let certificates = try Self.identity.get()
        try await Self.loop.submit { [self] in
            self.host?.close()
            self.host = HostTunnels(
                device, port: ports.host, certificates: certificates, settings: settings, host: makeHost(),
                on: Self.loop)
        }.get()
    }

    private func makeHost() -> HostTunnels.Host {
        var host = HostTunnels.Host(
            secret: { [weak self] _ in self?.hostSecret },
            adopt: { [weak self, tell] channel, _, _ in
                self?.adopted += 1
                try? channel.pipeline.syncOperations.addHandler(
                    StreamEnd { context, bytes in
                        context.writeAndFlush(NIOAny(bytes), promise: nil)
                    } closed: {
                        tell.yield(.hostClosed)
                    })
            },
            received: { [weak self] bytes, kind, path in
                self?.heard += 1
                self?.host.send(bytes, kind, to: path)
            })
        host.wake = { [weak self] addresses, tag, done in
            guard let networks = self?.wake?(addresses, tag) else { return false }
            done(networks)
            return true
        }
        return host
    }

    /// Runs `body` on the loop.
    func on<Value: Sendable>(_ body: @escaping @Sendable (TunnelWorld) throws -> Value) async throws -> Value {
        try await Self.loop.submit { try body(self) }.get()
    }

    /// Makes a call whose ring reaches the host.
    func newCall() -> JoinedCall {
        let call = JoinedCall(on: Self.loop) { [weak self] call, token in
            guard let self else { return }
            if let impostor { return impostor(call, token) }
            guard let tag = try? CallKeys.tag(of: token, OpenSSLCrypto()) else { return }
            host.rung(call.host, tag: tag, address: Self.address, turn: [])
        }
        call.tamper = tamper
        return call
    }

    /// Rings the host, and opens the stream to it; `opened` or `ended` follows.
    func open() async throws {
        let certificates = try Self.identity.get()
        try await on { world in
            let call = world.newCall()
            let viewer = try ViewerTunnel(
                call.ringer, to: world.device, secret: world.secret, port: world.ports.viewer,
                certificates: certificates, number: 1, settings: world.settings, on: Self.loop)
            let tell = world.tell
            viewer.onEvent = { tell.yield(.event($0)) }
            viewer.onEnd = { tell.yield(.ended($0)) }
            viewer.received = { tell.yield(.datagram($0, $1)) }
            (world.call, world.viewer) = (call, viewer)
            let bound = NIOLoopBound(world, eventLoop: Self.loop)
            viewer.open().whenComplete { bound.value.opened($0) }
        }
    }

    private func opened(_ result: Result<any Channel, any Error>) {
        switch result {
        case .success(let channel):
            session = channel
            let tell = tell
            try? channel.pipeline.syncOperations.addHandler(
                StreamEnd { _, bytes in
                    tell.yield(.bytes(Array(bytes.readableBytesView)))
                } closed: {
                    tell.yield(.streamClosed)
                })
            tell.yield(.opened)
        case .failure(let error):
            tell.yield(.ended(error as? HelioError ?? HelioError(.systemFailed, "\(error)")))
        }
    }

    /// Writes to the stream, at the viewer.
    func write(_ bytes: [UInt8]) async throws {
        try await on { world in
            guard let session = world.session else { return }
            session.writeAndFlush(session.allocator.buffer(bytes: bytes), promise: nil)
        }
    }

    /// Closes the viewer's end of the stream.
    func closeSession() async throws { try await on { $0.session?.close(promise: nil) } }

    /// Waits for a matching happening; those before it are discarded.
    func wait<Value>(for meaning: (Happening) -> Value?) async throws -> Value {
        for await happening in happenings {
            if let value = meaning(happening) { return value }
        }
        throw CancellationError()
    }

    func waitUntilOpen() async throws {
        let error = try await wait { happening -> HelioError?? in
            switch happening {
            case .opened: .some(nil)
            case .ended(let error): .some(error)
            default: nil
            }
        }
        if let error { throw error }
    }

    /// Waits for the viewer's end.
    func waitForEnd() async throws -> HelioError {
        try await wait { if case .ended(let error) = $0 { error } else { nil } }
    }

    /// Waits until a condition holds, which is looked at on the loop every 5 ms.
    func wait(until isTrue: @escaping @Sendable (TunnelWorld) -> Bool) async throws {
        let promise = Self.loop.makePromise(of: Void.self)
        let task = Self.loop.scheduleRepeatedTask(initialDelay: .zero, delay: .milliseconds(5)) { [self] _ in
            if isTrue(self) { promise.succeed() }
        }
        // A future has no time-out: the test's time limit cancels this task.
        try await withTaskCancellationHandler {
            try await promise.futureResult.get()
        } onCancel: {
            promise.fail(CancellationError())
        }
        task.cancel()
    }

    /// Waits until the ICE link carries media.
    func waitForICE() async throws { try await wait(until: { $0.viewer?.statistics?.media == LinkID(2) }) }

    /// Waits for as many bytes of the stream.
    func bytes(_ count: Int) async throws -> [UInt8] {
        var all: [UInt8] = []
        while all.count < count {
            all += try await wait { if case .bytes(let bytes) = $0 { bytes } else { nil } }
        }
        return all
    }

    /// Sends a datagram until it returns: some may get lost while links change.
    func expectReturn(of bytes: [UInt8], _ kind: ServedDatagram) async throws {
        let task = Self.loop.scheduleRepeatedTask(initialDelay: .zero, delay: .milliseconds(50)) { [self] _ in
            viewer?.send(bytes, kind)
        }
        defer { task.cancel() }
        try await wait { happening -> Void? in
            if case .datagram(bytes, kind) = happening { () } else { nil }
        }
    }

    /// Frees everything, so that no later happening follows.
    func stop() async throws {
        try await on { world in
            world.viewer?.close()
            world.host.close()
        }
        await ports.viewer?.close()
        await ports.host?.close()
    }
}

/// A handler at an end of the stream.
private final class StreamEnd: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let read: (ChannelHandlerContext, ByteBuffer) -> Void
    private let closed: () -> Void

    init(_ read: @escaping (ChannelHandlerContext, ByteBuffer) -> Void, closed: @escaping () -> Void) {
        self.read = read
        self.closed = closed
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { read(context, unwrapInboundIn(data)) }
    func channelInactive(context: ChannelHandlerContext) { closed() }
    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
