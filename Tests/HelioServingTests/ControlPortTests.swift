import Dispatch
import HelioCore
import HelioHost
import HelioLoop
import HelioOpenSSL
import HelioProtection
import HelioRemote
import HelioRemoteWire
import HelioTestLanes
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import HelioServing

@Suite("Viewers' input has a thread of its own", .timeLimit(.minutes(1)), .tags(.quiet))
struct ControlPortTests {
    private static let browser = ConnectionID(1)

    /// A simulated system input that blocks in the first message until released, like an X server that does not read.
    private final class Injector: DrivenMachine {
        let injected: AsyncStream<[InjectedInput]>
        /// Yields when the first message blocks.
        let stuck: AsyncStream<Void>
        private let injection: AsyncStream<[InjectedInput]>.Continuation
        private let sticking: AsyncStream<Void>.Continuation
        private let gate: DispatchSemaphore?
        private let isFirst = Atomic(true)

        init(sticks: Bool) {
            (injected, injection) = AsyncStream.makeStream()
            (stuck, sticking) = AsyncStream.makeStream()
            gate = sticks ? DispatchSemaphore(value: 0) : nil
        }

        func inject(_ inputs: [InjectedInput]) {
            if isFirst.exchange(false, ordering: .relaxed) {
                sticking.finish()
                gate?.wait()
            }
            injection.yield(inputs)
        }

        func selectMonitor(_: String) {}

        func open() { gate?.signal() }
        func end() { injection.finish() }
    }

    /// A control port on its own event loop, with one browser.
    private struct Host {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let injector: Injector
        let port: ControlPort
        /// The inputs that reached the event loop.
        let told: AsyncStream<SourceHost.Input>
        /// The datagrams to virtual paths.
        let routed: AsyncStream<AddressedDatagram>

        init(sticks: Bool) throws {
            let injector = Injector(sticks: sticks)
            let (told, telling) = AsyncStream.makeStream(of: SourceHost.Input.self)
            let (routed, routing) = AsyncStream.makeStream(of: AddressedDatagram.self)
            self.routed = routed
            self.injector = injector
            self.told = told
            port = try ControlPort(
                HostControl(screen: PixelSize(width: 1000, height: 500), crypto: OpenSSLCrypto()), of: injector,
                on: DatagramSocket(bindTo: "127.0.0.1", port: 0), loop: group.next(), route: { routing.yield($0) },
                feed: { telling.yield($0) })
            port.put(.web(ControlPortTests.browser, .open(name: "browser", allowsControl: true)))
        }

        func says(_ message: ViewerMessage, by channel: RemoteChannel = .control) {
            port.put(.web(ControlPortTests.browser, .message(message, channel)))
        }

        func end() async throws {
            await port.finish()
            try await group.shutdownGracefully()
        }
    }

    @Test("a system that does not read its input holds up nobody; messages wait within bounds, of states the newest")
    func stuck() async throws {
        let host = try Host(sticks: true)
        host.says(.text("first"))
        for await _ in host.injector.stuck {}
        // Further inputs and the statistics do not wait for the injector.
        for number in 0..<1000 { host.says(.text("\(number)")) }
        for width in 1...1000 {
            let monitor = ScreenMonitor(
                id: "A", name: "A", rect: PixelRect(x: 0, y: 0, width: width, height: 500), isPrimary: true)
            host.port.put(.screen(PixelSize(width: width, height: 500), on: monitor))
        }
        let stuck = await host.port.statistics().drops
        #expect(stuck["control-queue-full"] == 744)
        #expect((700..<1000).contains(stuck["control-event-overtaken", default: 0]))

        host.injector.open()
        var (typed, widths): ([InjectedInput], [Int]) = ([], [])
        for await inputs in host.injector.injected {
            for input in inputs {
                if case .monitor(let monitor) = input { widths.append(monitor.rect.width) } else { typed.append(input) }
            }
            if widths.last == 1000 { break }
        }
        #expect(typed == (["first"] + (0..<256).map { "\($0)" }).map { .text($0) })
        #expect(widths == widths.sorted() && widths.count <= 300)
        #expect(await host.port.statistics().driver == .browser(Self.browser))
        try await host.end()
    }

    @Test("a port that finishes has released what was held, and what came before was done in order")
    func finishes() async throws {
        let host = try Host(sticks: false)
        host.says(.keyDown(KeyStroke(usage: 4)))
        host.says(.text("x"))
        host.port.put(.web(Self.browser, .close))
        try await host.end()
        host.injector.end()
        var injected: [InjectedInput] = []
        for await inputs in host.injector.injected { injected += inputs }
        #expect(injected == [.key(usage: 4, isDown: true), .text("x"), .key(usage: 4, isDown: false)])
    }

    @Test("a viewer behind a tunnel drives by its virtual path, and its answers take that path through the event loop")
    func tunnel() async throws {
        let host = try Host(sticks: false)
        let route = PathID.virtual(1)
        var generator = SeededGenerator(seed: 1)
        let terms = ControlTerms(
            viewer: SSRC(7), hostKey: SealedKey(using: &generator), viewerKey: SealedKey(using: &generator),
            allowsControl: true)
        let viewer = try ViewerControl(terms, crypto: OpenSSLCrypto(), now: .zero)
        host.port.put(.open(terms, from: route.ip))
        viewer.handle(.event(.key(usage: 9, modifiers: [], isDown: true)), now: .zero)
        while let output = viewer.poll() {
            if case .datagram(let bytes) = output { host.port.put(.datagram(bytes, from: route)) }
        }
        for await inputs in host.injector.injected {
            #expect(inputs == [.key(usage: 9, isDown: true)])
            break
        }
        for await datagram in host.routed {
            #expect(datagram.path == route && datagram.bytes.count <= 1200)
            break
        }
        let drops = await host.port.statistics().drops
        #expect(drops["control-tunnel-full"] == nil && drops["control-not-sent"] == nil)
        try await host.end()
    }

    @Test("a socket's datagram that claims to come from a tunnel is forged")
    func forged() {
        let inbox = ControlInbox()
        for path in [PathID.virtual(1), .virtual(.max)] { #expect(inbox.input(of: [1], from: path) == nil) }
        let own = PathID(.v4(0x7F00_0001), port: 9)
        guard case .datagram([1], own) = inbox.input(of: [1], from: own) else {
            Issue.record("a datagram of a socket's path is dropped")
            return
        }
        #expect(inbox.allDrops == ["control-forged-source": 2])
    }

    @Test("an event loop that is stuck is kept from few answers: those that nobody sends again still have room")
    func stuckLoop() async throws {
        let host = try Host(sticks: false)
        let gate = DispatchSemaphore(value: 0)
        let (stuck, sticking) = AsyncStream.makeStream(of: Void.self)
        host.group.next().execute {
            sticking.finish()
            gate.wait()
        }
        for await _ in stuck {}
        var injections = host.injector.injected.makeAsyncIterator()
        for _ in 0..<10 {
            for _ in 0..<100 { host.says(.inputs(NumberedInputs(first: 0, inputs: [], sentAt: 0)), by: .moves) }
            host.says(.text("all so far"))
            _ = await injections.next()
        }
        #expect(await host.port.statistics().drops["control-answers-full", default: 0] >= 740)
        host.says(.selectMonitor(id: "none"))
        host.says(.text("that, too"))
        _ = await injections.next()
        gate.signal()
        for await input in host.told {
            guard case .tellWeb(_, let message, .control) = input else { continue }
            if case .error(let report) = try HostMessage(parsing: message), report.about == "selectMonitor" { break }
        }
        try await host.end()
    }
}
