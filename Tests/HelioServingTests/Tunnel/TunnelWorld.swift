import Foundation
import HelioAdmission
import HelioControlWire
import HelioCore
import HelioGround
import HelioHost
import HelioProtection
import HelioRemote
import HelioServing
import HelioSession
import HelioSimulation
import HelioStores
import NIOCore
import NIOPosix
import Testing

/// A host with a moving picture, and the means to reach it through a `TestTunnel`.
final class TunnelWorld: Sendable {
    /// The viewer's address as the host is told of it (RFC 5737).
    static let address = "203.0.113.9"

    let loop: any EventLoop
    let identity: Identity
    let server: SourceServer
    let screen: Screen
    let machine: Machine
    private let group: MultiThreadedEventLoopGroup
    private let folder: String

    init(pairs: Bool = false) async throws {
        folder = FileManager.default.temporaryDirectory.path + "/heliograph-\(UUID().uuidString)"
        group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        loop = group.next()
        identity = try Identity.loadOrCreate(in: folder)
        machine = Machine()
        let stream = StreamMailbox(on: loop)
        screen = Screen(stream)
        let settings = SourceHost.Settings(
            format: .test, allowsControl: true, pairing: .init(asks: pairs), name: "host")
        server = try await SourceServer.start(
            .init(address: "127.0.0.1", port: 0, host: settings), identity: identity, stream: stream,
            observer: screen, machine: machine, on: loop)
        screen.begin(on: loop)
    }

    /// Makes a tunnel for one viewer, by which the host then sends.
    func makeTunnel(carriesDatagrams: Bool = true) async throws -> NIOLoopBound<TestTunnel> {
        try await loop.submit { [server, loop] in
            let tunnel = TestTunnel(
                to: server, from: Self.address, carriesDatagrams: carriesDatagrams, on: loop)
            server.setRoutes(tunnel)
            return NIOLoopBound(tunnel, eventLoop: loop)
        }.get()
    }

    func route(_ tunnel: NIOLoopBound<TestTunnel>) async throws -> NIOLoopBound<any HostRoute> {
        try await loop.submit { [loop] in NIOLoopBound(tunnel.value as any HostRoute, eventLoop: loop) }.get()
    }

    /// The link of the host, whose address leads nowhere.
    func link() async throws -> ShareLink {
        let secret = try await server.currentSecret()
        return ShareLink(
            host: "host.invalid", port: 7236, fingerprint: identity.fingerprint, secret: secret.bytes)
    }

    func watch(
        _ link: ShareLink, by tunnel: NIOLoopBound<TestTunnel>, _ viewer: TunnelViewer
    ) async throws -> SinkClient {
        try await SinkClient.connect(
            link, settings: .init(), route: try await route(tunnel), on: loop, delegate: viewer)
    }

    /// Reads a tunnel's state on its event loop.
    func read<Value: Sendable>(
        _ tunnel: NIOLoopBound<TestTunnel>, _ body: @escaping @Sendable (TestTunnel) -> Value
    ) async throws -> Value {
        try await loop.submit { body(tunnel.value) }.get()
    }

    /// - Parameter isServing: false if the server was stopped before.
    func stop(isServing: Bool = true) async throws {
        try await loop.submit { [screen] in screen.end() }.get()
        if isServing { await server.stop() }
        try await group.shutdownGracefully()
        try FileManager.default.removeItem(atPath: folder)
    }
}

/// The host's screen: a picture 50 times a second, a keyframe on request; and the host's events.
final class Screen: HostObserver {
    let events: AsyncStream<SourceHost.Event>
    private let telling: AsyncStream<SourceHost.Event>.Continuation
    private let stream: StreamMailbox
    private let feed = Feed()

    /// The encoder, which is used on the event loop only.
    private final class Feed: @unchecked Sendable {
        var encoder = TestEncoder(seed: 1)
        var owesKeyframe = true
        var task: RepeatedTask?
    }

    init(_ stream: StreamMailbox) {
        self.stream = stream
        (events, telling) = AsyncStream.makeStream()
    }

    func begin(on loop: any EventLoop) {
        loop.execute { [feed, stream] in
            feed.task = loop.scheduleRepeatedTask(initialDelay: .zero, delay: .milliseconds(20)) { _ in
                let isKeyframe = feed.owesKeyframe
                feed.owesKeyframe = false
                for slice in feed.encoder.frame(keyframe: isKeyframe, now: MonotonicClock.now) { _ = stream.put(slice) }
            }
        }
    }

    func end() { feed.task?.cancel() }

    func handle(_ event: SourceHost.Event) {
        switch event {
        case .keyframeNeeded, .repairNeeded: feed.owesKeyframe = true
        default: telling.yield(event)
        }
    }

    func note(_ sentence: String) { Issue.record("the host says: \(sentence)") }
}

/// The machine that viewers drive.
final class Machine: DrivenMachine {
    let injected: AsyncStream<[InjectedInput]>
    private let injection: AsyncStream<[InjectedInput]>.Continuation

    init() { (injected, injection) = AsyncStream.makeStream() }

    func inject(_ inputs: [InjectedInput]) { injection.yield(inputs) }
    func selectMonitor(_ id: String) {}
}

/// A viewer's user.
final class TunnelViewer: SinkClientDelegate {
    let events: AsyncStream<SinkSession.Event>
    /// Whether this viewer drives, for each change.
    let drives: AsyncStream<Bool>
    private let telling: AsyncStream<SinkSession.Event>.Continuation
    private let driving: AsyncStream<Bool>.Continuation

    init() {
        (events, telling) = AsyncStream.makeStream()
        (drives, driving) = AsyncStream.makeStream()
    }

    func handle(_ event: SinkSession.Event) { telling.yield(event) }
    func cursorMoved(x: Float, y: Float) {}
    func driverChanged(to driver: Driver) { driving.yield(driver == .you) }
    func controlRequested(by name: String) {}

    /// Waits for a number of frames, and returns their indices; fails if the session ends before.
    func frames(_ count: Int) async throws -> [UInt64] {
        var indices: [UInt64] = []
        for await event in events {
            switch event {
            case .frame(let frame):
                indices.append(try #require(TestEncoder.index(of: frame)))
                if indices.count == count { return indices }
            case .ended(let error): throw error
            default: break
            }
        }
        throw CancellationError()
    }

    /// Waits for the session's end.
    func end() async -> HelioError? {
        for await event in events { if case .ended(let error) = event { return error } }
        return nil
    }
}
