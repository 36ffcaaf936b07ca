import Foundation
import HelioCore
import HelioSignaling
import HelioStores
import HelioTLS
import HelioTestLanes
import HelioTestPrograms
import NIOCore
import NIOPosix
import Testing

@Suite("Where the page is served, and by TLS", .timeLimit(.minutes(1)), .tags(.quiet))
struct ListeningTests {
    @Test("a port that is taken: another one, where any will do")
    func portTaken() async throws {
        let first = try await EchoHost()
        let second = try await EchoHost { $0.port = .preferably(first.port) }
        #expect(second.port != first.port && second.port > 0)
        #expect(try await second.client().ask().status == 200)
        await #expect {
            _ = try await EchoHost { $0.port = .exactly(first.port) }
        } throws: { error in
            let message = (error as? HelioError)?.message ?? ""
            return message.contains("127.0.0.1:\(first.port)") && message.contains("another program listens")
                && message.contains("choose another port")
        }
        await first.service.stop()
        // The port is free again at once, although it had connections.
        let third = try await EchoHost { $0.port = .exactly(first.port) }
        #expect(third.port == first.port)
        for host in [second, third] { await host.service.stop() }
    }

    @Test("what begins as media by TCP is handed over, whole; where nobody takes it, it is no request")
    func media() async throws {
        let packet: [UInt8] = [0, 4, 0, 1, 0, 0]
        let (taken, took) = AsyncStream.makeStream(of: [UInt8].self)
        let host = try await EchoHost {
            $0.takesMedia = { channel in
                try channel.pipeline.syncOperations.addHandler(MediaEnd { took.yield($0) })
            }
        }
        let client = try await host.client()
        try await client.send(packet)
        var all = taken.makeAsyncIterator()
        #expect(await all.next() == packet)
        #expect(await host.service.statistics().connections == 0)
        // The page is still served, and a stopping service does not wait for connections that it handed over.
        #expect(try await host.client().ask().status == 200)
        await host.service.stop()
        await client.close()

        let deaf = try await EchoHost()
        let other = try await deaf.client()
        try await other.send(packet)
        #expect(try await other.answer().status == 400)
        await deaf.service.stop()
    }

    private final class MediaEnd: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let took: ([UInt8]) -> Void
        init(_ took: @escaping ([UInt8]) -> Void) { self.took = took }
        func channelRead(context: ChannelHandlerContext, data: NIOAny) { took(Array(buffer: unwrapInboundIn(data))) }
    }

    @Test("an address that is not this machine's is an error that says so")
    func foreignAddress() async throws {
        await #expect {
            _ = try await EchoHost { $0.address = "192.0.2.1" }
        } throws: { ($0 as? HelioError)?.message.contains("does not have that address") == true }
    }

    @Test("a service is started once, and stopped as often as one likes")
    func lifecycle() async throws {
        let host = try await EchoHost()
        await #expect(throws: HelioError.self) { try await host.service.start { _ in } }
        await host.service.stop()
        await host.service.stop()
        #expect(host.service.localPort == nil)
        #expect(await host.service.statistics().connections == 0)
        let never = LocalSignalingService(
            .init(address: "127.0.0.1", files: []), on: MultiThreadedEventLoopGroup.singleton.next())
        await never.stop()
        await #expect(throws: HelioError.self) { try await never.start { _ in } }
    }

    @Test("by IPv6 and IPv4 at once, each under its own address")
    func bothFamilies() async throws {
        if try IPv6Machine.hasDone() { return }
        let host = try await EchoHost { $0.address = "::" }
        for (address, name) in [("127.0.0.1", "127.0.0.1"), ("::1", "[::1]")] {
            let client = try await RawClient(port: host.port, host: address)
            try await client.upgrade(host: name)
            guard case .opened(_, let remote) = await host.event() else {
                Issue.record("not opened")
                return
            }
            #expect(remote == address)
        }
        await host.service.stop()
    }

    @Test("https: the page, messages and all bounds are the same")
    func tls() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "heliograph-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let identity = try Identity.loadOrCreate(in: folder)
        let host = try await EchoHost {
            $0.identity = identity
            $0.requestTimeout = .milliseconds(1500)
        }
        let context = try TLSClientContext()
        let page = try await RawClient(port: host.port, tls: context)
        let answer = try await page.ask(host: "localhost:8080")
        #expect(answer.status == 200)
        #expect(answer.headers["content-security-policy"]?.contains("wss://localhost:8080") == true)
        let talker = try await RawClient(port: host.port, tls: context)
        try await talker.upgrade(secure: true)
        try await talker.send(Frame.text("sealed"))
        #expect(try await talker.frame().string == "sealed")
        try await talker.send(Frame.close(1000))
        #expect(try await talker.frame().code == 1000)
        #expect(await talker.readAll().isEmpty)
        // A page on http is another origin.
        let insecure = try await RawClient(port: host.port, tls: context)
        try await insecure.send(RawClient.upgrade(origin: "http://localhost"))
        #expect(try await insecure.answer().status == 403)
        #expect(await insecure.readAll().isEmpty)
        // A client that speaks no TLS gets no HTTP response; one that sends nothing is disconnected.
        let plain = try await host.client()
        try await plain.send(RawClient.request())
        let said = await plain.readAll()
        #expect(!String(decoding: said, as: UTF8.self).contains("HTTP"))
        let gone = try await host.client()
        try await gone.send([22, 3, 1])
        await gone.close()
        let silent = try await host.client()
        #expect(await silent.readAll().isEmpty)
        let drops = await host.drops()
        #expect(drops == ["foreign-origin": 1, "tls-failed": 1, "slow-request": 1], "\(drops)")
        await host.service.stop()
    }

    @Test("http and https at one port: each has its own origin, and what is neither is nothing")
    func both() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "heliograph-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let identity = try Identity.loadOrCreate(in: folder)
        let host = try await EchoHost {
            $0.identity = identity
            $0.servesHTTP = true
            $0.requestTimeout = .milliseconds(1500)
        }
        for (context, scheme) in [(nil, "ws"), (try TLSClientContext(), "wss")] {
            let page = try await RawClient(port: host.port, tls: context)
            let answer = try await page.ask(host: "localhost:8080")
            #expect(answer.status == 200)
            let policy = answer.headers["content-security-policy"] ?? ""
            #expect(policy.contains(" \(scheme)://localhost:8080;"), "\(policy)")
            let talker = try await RawClient(port: host.port, tls: context)
            try await talker.upgrade(secure: context != nil)
            try await talker.send(Frame.text("hello"))
            #expect(try await talker.frame().string == "hello")
            let other = try await RawClient(port: host.port, tls: context)
            try await other.send(RawClient.upgrade(origin: context == nil ? "https://localhost" : "http://localhost"))
            #expect(try await other.answer().status == 403)
        }
        // One byte at a time.
        let slow = try await host.client()
        for byte in RawClient.request().utf8 { try await slow.send([byte]) }
        #expect(try await slow.answer().status == 200)
        let junk = try await host.client()
        try await junk.send([22] + [UInt8](repeating: 0, count: 40))
        _ = await junk.readAll()
        let silent = try await host.client()
        #expect(await silent.readAll().isEmpty)
        let drops = await host.drops()
        #expect(drops == ["foreign-origin": 2, "tls-failed": 1, "slow-request": 1], "\(drops)")
        await host.service.stop()
    }
}
