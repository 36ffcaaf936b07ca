import HelioCore
import HelioGround
import HelioLoop
import HelioOpenSSL
import HelioProtection
import HelioRemote
import HelioSession
import HelioTestLanes
import Testing

@Suite("A control port on a real socket", .tags(.quiet))
struct EnginePortTests {
    /// Makes keys and control terms for a host and a viewer.
    private func makeTerms() -> ControlTerms {
        var generator = SeededGenerator(seed: 1)
        return ControlTerms(
            viewer: SSRC(7), hostKey: SealedKey(using: &generator), viewerKey: SealedKey(using: &generator),
            allowsControl: true)
    }

    private func makeHost(
        port: Int = 0, _ inject: @escaping @Sendable ([InjectedInput]) -> Void
    ) throws -> EnginePort<HostControl> {
        try EnginePort(
            HostControl(screen: PixelSize(width: 100, height: 100), crypto: OpenSSLCrypto()),
            on: DatagramSocket(bindTo: "127.0.0.1", port: port), name: "host",
            received: { .datagram($0, from: $1) }, waiting: { [] },
            perform: { output in
                switch output {
                case .datagram(let bytes, let path): return .send(bytes, to: path)
                case .inject(let inputs): inject(inputs)
                case .web, .selectMonitor, .inside, .driver: break
                }
                return .done
            })
    }

    private func makeViewer(
        _ terms: ControlTerms, to port: Int, _ tell: @escaping @Sendable (ViewerControl.Output) -> Void = { _ in }
    ) throws -> EnginePort<ViewerControl> {
        try EnginePort(
            ViewerControl(terms, crypto: OpenSSLCrypto(), now: MonotonicClock.now),
            on: DatagramSocket(bindTo: "0.0.0.0", port: 0, peer: PathID(.v4(0x7F00_0001), port: UInt16(port))),
            name: "viewer",
            received: { bytes, _ in .datagram(bytes) }, waiting: { [] },
            perform: { output in
                if case .datagram(let bytes) = output { return .send(bytes, to: nil) }
                tell(output)
                return .done
            })
    }

    @Test("what any thread hands over arrives once and in order, and pings come back", .timeLimit(.minutes(1)))
    func thereAndBack() async throws {
        let terms = makeTerms()
        let (injected, injection) = AsyncStream.makeStream(of: [InjectedInput].self)
        let (told, telling) = AsyncStream.makeStream(of: ViewerControl.Output.self)
        let host = try makeHost { injection.yield($0) }
        host.handle(.open(terms, from: .v4(0x7F00_0001)))
        let viewer = try makeViewer(terms, to: Int(host.localPort)) { telling.yield($0) }
        defer {
            viewer.close()
            host.close()
        }

        let keys = (4..<30).map { UInt16($0) }
        for key in keys { viewer.handle(.event(.key(usage: key, modifiers: [], isDown: true))) }
        var arrived: [InjectedInput] = []
        for await inputs in injected {
            arrived += inputs
            if arrived.count >= keys.count { break }
        }
        #expect(arrived == keys.map { .key(usage: $0, isDown: true) })

        for await output in told {
            guard case .roundTrip(let time) = output else { continue }
            #expect(time >= .zero)
            break
        }
        host.handle(.cursorMoved(x: 50, y: 25))
        for await output in told {
            guard case .cursorMoved(let x, let y) = output else { continue }
            #expect(abs(x - 0.505) < 0.001 && abs(y - 0.255) < 0.001)
            break
        }
        #expect(host.refusedDatagrams == 0)
        // Each datagram repeats what is not acknowledged yet, so only such repeats are dropped.
        #expect(host.read { $0.allDrops }.keys.allSatisfy { $0 == "input-duplicate-event" })
    }

    @Test("a host that comes late is found: a refused datagram ends nothing", .timeLimit(.minutes(1)))
    func nobodyThere() async throws {
        let terms = makeTerms()
        let (injected, injection) = AsyncStream.makeStream(of: [InjectedInput].self)
        // A port that was just freed.
        let port = Int(try DatagramSocket(bindTo: "127.0.0.1", port: 0).localPort)
        let viewer = try makeViewer(terms, to: port)
        defer { viewer.close() }
        viewer.handle(.event(.key(usage: 9, modifiers: [], isDown: true)))
        let host = try makeHost(port: port) { injection.yield($0) }
        defer { host.close() }
        host.handle(.open(terms, from: .v4(0x7F00_0001)))
        for await inputs in injected {
            #expect(inputs == [.key(usage: 9, isDown: true)])
            break
        }
    }

    @Test("without a socket, datagrams go the caller's way, on its threads", .timeLimit(.minutes(1)))
    func withoutSocket() async throws {
        let terms = makeTerms()
        let route = PathID.virtual(3)
        let (injected, injection) = AsyncStream.makeStream(of: [InjectedInput].self)
        let (told, telling) = AsyncStream.makeStream(of: ViewerControl.Output.self)
        let (toHost, sentToHost) = AsyncStream.makeStream(of: [UInt8].self)
        let (toViewer, sentToViewer) = AsyncStream.makeStream(of: [UInt8].self)
        let host = try EnginePort(
            HostControl(screen: PixelSize(width: 100, height: 100), crypto: OpenSSLCrypto()), on: nil, name: "host",
            received: { _, _ in nil }, waiting: { [] },
            perform: { output in
                if case .datagram(let bytes, route) = output { sentToViewer.yield(bytes) }
                if case .inject(let inputs) = output { injection.yield(inputs) }
                return .done
            })
        let viewer = try EnginePort(
            ViewerControl(terms, crypto: OpenSSLCrypto(), now: MonotonicClock.now), on: nil, name: "viewer",
            received: { _, _ in nil }, waiting: { [] },
            perform: { output in
                if case .datagram(let bytes) = output { sentToHost.yield(bytes) } else { telling.yield(output) }
                return .done
            })
        let carriers = [
            Task { for await bytes in toHost { host.handle(.datagram(bytes, from: route)) } },
            Task { for await bytes in toViewer { viewer.handle(.datagram(bytes)) } },
        ]
        defer {
            for carrier in carriers { carrier.cancel() }
            viewer.close()
            host.close()
        }
        #expect(host.localPort == 0 && host.thrownAway == 0)
        host.handle(.open(terms, from: route.ip))
        viewer.handle(.event(.key(usage: 9, modifiers: [], isDown: true)))
        for await inputs in injected {
            #expect(inputs == [.key(usage: 9, isDown: true)])
            break
        }
        // The pings are due at a deadline, which the port's own thread keeps.
        for await output in told { if case .roundTrip = output { break } }
        #expect(viewer.refusedDatagrams == 0)
    }

    @Test("what makes no input is dropped", .timeLimit(.minutes(1)))
    func dropped() async throws {
        let terms = makeTerms()
        let (seen, seeing) = AsyncStream.makeStream(of: PathID.self)
        let host = try EnginePort(
            HostControl(screen: PixelSize(width: 100, height: 100), crypto: OpenSSLCrypto()),
            on: DatagramSocket(bindTo: "127.0.0.1", port: 0), name: "host",
            received: { _, sender in
                seeing.yield(sender)
                return nil
            },
            waiting: { [] }, perform: { _ in .done })
        defer { host.close() }
        let viewer = try makeViewer(terms, to: Int(host.localPort))
        defer { viewer.close() }
        viewer.handle(.event(.key(usage: 9, modifiers: [], isDown: true)))
        for await sender in seen {
            #expect(sender == PathID(.v4(0x7F00_0001), port: viewer.localPort))
            break
        }
        #expect(host.read { $0.allDrops }.isEmpty)
    }

    @Test("a closed channel lets go of what is held, and what comes later belongs to nobody")
    func closing() throws {
        let terms = makeTerms()
        let host = HostControl(screen: PixelSize(width: 100, height: 100), crypto: OpenSSLCrypto())
        let viewer = try ViewerControl(terms, crypto: OpenSSLCrypto(), now: .zero)
        host.handle(.open(terms, from: .v4(0x7F00_0001)), now: .zero)
        viewer.handle(.event(.key(usage: 9, modifiers: [], isDown: true)), now: .zero)
        guard case .datagram(let press) = viewer.poll() else { throw Unexpected() }
        host.handle(.datagram(press, from: PathID(.v4(0x7F00_0001), port: 1)), now: .zero)
        guard case .inject(let pressed) = host.poll() else { throw Unexpected() }
        #expect(pressed == [.key(usage: 9, isDown: true)])
        while host.poll() != nil {}
        host.handle(.close(terms.viewer), now: .zero)
        guard case .inject(let released) = host.poll() else { throw Unexpected() }
        #expect(released == [.key(usage: 9, isDown: false)])
        host.handle(.datagram(press, from: PathID(.v4(0x7F00_0001), port: 1)), now: .zero)
        while let output = host.poll() {
            if case .inject = output { Issue.record("a closed channel injects") }
        }
        #expect(host.allDrops["control-unknown-viewer"] == 1)
    }

    @Test("what is done after the screen has changed is done on the other monitor, by its size, and nothing before")
    func otherMonitor() throws {
        let terms = makeTerms()
        let host = HostControl(screen: PixelSize(width: 100, height: 100), crypto: OpenSSLCrypto())
        let viewer = try ViewerControl(terms, crypto: OpenSSLCrypto(), now: .zero)
        host.handle(.open(terms, from: .v4(0x7F00_0001)), now: .zero)
        let monitor = ScreenMonitor(
            id: "right", name: "right", rect: PixelRect(x: 100, y: 0, width: 200, height: 50), isPrimary: false)
        var injected: [InjectedInput] = []
        for step in 0..<3 {
            if step == 1 {
                host.handle(.screen(PixelSize(width: 200, height: 50), on: monitor), now: .zero)
            } else {
                let now = Instant.zero + .seconds(step)
                viewer.handle(.event(.button(.left, isDown: step == 0, x: 0.5, y: 0.5)), now: now)
                while let output = viewer.poll() {
                    if case .datagram(let bytes) = output {
                        host.handle(.datagram(bytes, from: PathID(.v4(0x7F00_0001), port: 1)), now: now)
                    }
                }
            }
            while let output = host.poll() {
                if case .inject(let inputs) = output { injected += inputs }
            }
        }
        #expect(
            injected == [
                .movePointer(x: 50, y: 50), .button(.left, isDown: true), .monitor(monitor),
                .movePointer(x: 100, y: 25), .button(.left, isDown: false),
            ])
    }

    private struct Unexpected: Error {}
}
