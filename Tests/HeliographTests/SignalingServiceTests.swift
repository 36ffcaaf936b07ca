import Foundation
import HelioCore
import HelioRemoteWire
import HelioTestLanes
import HelioTestPrograms
import Heliograph
import Testing

/// Services by which two ends find each other, as an app uses them.
@Suite("Signalling services of an app's own", .serialized, .timeLimit(.minutes(2)), .tags(.quiet))
final class SignalingServiceTests {
    private struct Plugin: VideoSourcePlugin {
        func keyframeNeeded(reason: String) {}
        func bitrateSuggested(_ bitsPerSecond: Int) {}
    }

    private static let hello = SignalingMessage.hello(
        .init(
            nonce: [UInt8](repeating: 1, count: SignalingMessage.nonceLength),
            fingerprint: [UInt8](repeating: 2, count: SignalingMessage.fingerprintLength), name: "laptop"))
    private static let welcome = SignalingMessage.welcome(
        .init(
            nonce: [UInt8](repeating: 3, count: SignalingMessage.nonceLength),
            fingerprint: [UInt8](repeating: 4, count: SignalingMessage.fingerprintLength), name: "tower",
            pairing: false))

    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("heliograph-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    // MARK: A source's browsers

    private func start(_ service: OwnSignaling, web: WebOptions?) async throws -> MirrorSource {
        var options = MirrorSource.Options()
        options.address = "127.0.0.1"
        options.port = 0
        options.name = "tower"
        options.home = folder.path
        options.web = web
        options.signaling = [service]
        return try await MirrorSource.start(
            options, video: MediaAttributes(format: .avc, width: 640, height: 480), plugin: Plugin())
    }

    private static var web: WebOptions {
        var web = WebOptions()
        (web.port, web.mediaPort) = (0, 0)
        return web
    }

    private func drops(_ source: MirrorSource) async throws -> [String: Int] {
        try await source.statistics().drops.filter { $0.key.hasPrefix("signaling-") }
    }

    @Test("a browser that comes by an app's own service is welcomed and refused as any other")
    func browser() async throws {
        let service = OwnSignaling()
        let source = try await start(service, web: Self.web)
        let browser = service.connection(1)
        var messages = browser.sent.makeAsyncIterator()
        browser.say(Self.hello.serialised(), by: service)
        let first = try SignalingMessage(parsing: try #require(await messages.next()))
        guard case .welcome(let welcome) = first else {
            Issue.record("\(first)")
            return await source.stop()
        }
        #expect(welcome.name == "tower" && !welcome.pairing)
        let proof = [UInt8](repeating: 5, count: SignalingMessage.proofLength)
        browser.say(SignalingMessage.join(.init(proof: proof)).serialised(), by: service)
        let second = try SignalingMessage(parsing: try #require(await messages.next()))
        #expect(second == .refused(.wrongProof))
        #expect(await messages.next() == nil, "the host closes the connection")
        #expect(!browser.isAdmitted)
        for await case .viewerRefused(let address, let reason) in source.events {
            #expect(address == "192.0.2.7" && reason == "wrong-proof")
            break
        }
        #expect(try await drops(source).isEmpty)
        #expect(service.stopCount == 0)
        await source.stop()
        #expect(service.stopCount == 1)
    }

    @Test("what an app's service should not report is dropped and counted")
    func bounds() async throws {
        let service = OwnSignaling()
        let source = try await start(service, web: Self.web)
        // Never reported as open.
        let stranger = OwnConnection(1, service)
        stranger.say(Self.hello.serialised(), by: service)
        service.tell(.closed(stranger))
        let browser = service.connection(2)
        service.tell(.opened(browser))
        browser.say([UInt8](repeating: 32, count: SignalingMessage.maximumSize + 1), by: service)
        for await message in browser.sent { Issue.record("\(String(decoding: message, as: UTF8.self))") }
        #expect(try await drops(source) == ["signaling-unexpected": 2, "signaling-oversized-message": 1])
        await source.stop()
    }

    @Test("connections of a service that never reports their ends are limited")
    func connections() async throws {
        let service = OwnSignaling()
        let source = try await start(service, web: Self.web)
        for id in 1...256 { _ = service.connection(UInt64(id), reportsClosing: false) }
        let last = service.connection(257, reportsClosing: false)
        for await message in last.sent { Issue.record("\(String(decoding: message, as: UTF8.self))") }
        #expect(try await drops(source) == ["signaling-too-many-connections": 1])
        await source.stop()
    }

    @Test("a source without the endpoint for browsers says that a service needs it, and starts none")
    func withoutWeb() async throws {
        let service = OwnSignaling()
        do {
            let source = try await start(service, web: nil)
            await source.stop()
            Issue.record("it has started")
        } catch let error as HelioError {
            #expect(error.code == .invalidArgument && error.message.contains("endpoint for browsers"))
        }
        #expect(!service.isStarted)
    }

    // MARK: On this machine

    /// A client of RFC 6455: gets the page, then sends a message and prints the answer and how the connection closes.
    private static let client = """
        import http.client, os, socket, struct, sys
        port, message = int(sys.argv[1]), sys.argv[2].encode()
        page = http.client.HTTPConnection("127.0.0.1", port)
        page.request("GET", "/")
        print("page", page.getresponse().read().decode(), flush=True)
        end = socket.create_connection(("127.0.0.1", port))
        end.sendall((f"GET /signaling HTTP/1.1\\r\\nHost: 127.0.0.1:{port}\\r\\nOrigin: http://127.0.0.1:{port}\\r\\n"
                     "Upgrade: websocket\\r\\nConnection: Upgrade\\r\\nSec-WebSocket-Version: 13\\r\\n"
                     "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\\r\\n\\r\\n").encode())
        stream = end.makefile("rb")
        print("upgrade", stream.readline().decode().strip(), flush=True)
        while stream.readline().strip(): pass
        mask = os.urandom(4)
        body = bytes(byte ^ mask[index % 4] for index, byte in enumerate(message))
        end.sendall(struct.pack("!BBH", 0x81, 0x80 | 126, len(message)) + mask + body)
        while True:
            first, size = stream.read(2)
            if size == 126: size = struct.unpack("!H", stream.read(2))[0]
            content = stream.read(size)
            if first == 0x88:
                print("closed", struct.unpack("!H", content[:2])[0], flush=True)
                break
            print("answer", content.decode(), flush=True)
        """

    @Test("an app's page and its WebSockets on this machine")
    func local() async throws {
        var options = LocalSignalingService.Options()
        options.address = "127.0.0.1"
        options.home = folder.path
        options.files = [.init(path: "index.html", bytes: Array("<p>hello</p>".utf8), type: "text/html")]
        let service = try LocalSignalingService(options)
        let (events, told) = AsyncStream.makeStream(of: SignalingEvent.self)
        try await service.start { told.yield($0) }
        let port = try #require(service.localPort)
        let client = try RunningProgram(
            "python3", ["-c", Self.client, String(port), String(decoding: Self.hello.serialised(), as: UTF8.self)],
            environment: [:])
        var log: [String] = []
        for await event in events {
            switch event {
            case .opened(let end):
                log.append("opened \(end.remoteAddress) \(end.isSecure)")
                end.isAdmitted = true
                #expect(end.isAdmitted)
            case .message(let end, let bytes):
                #expect(try SignalingMessage(parsing: bytes) == Self.hello)
                log.append("message")
                end.send(Self.welcome.serialised())
                end.close()
            case .closed: log.append("closed")
            }
            if log.last == "closed" { break }
        }
        #expect(log == ["opened 127.0.0.1 false", "message", "closed"])
        #expect(client.waitUntilExit() == 0)
        #expect(client.text.contains("page <p>hello</p>") && client.text.contains("upgrade HTTP/1.1 101"))
        #expect(client.text.contains("answer " + String(decoding: Self.welcome.serialised(), as: UTF8.self)))
        #expect(client.text.contains("closed 1000"))
        let counts = await service.statistics()
        #expect(counts.messagesReceived == 1 && counts.messagesSent == 1 && counts.drops.isEmpty)
        await service.stop()
    }

    @Test("options that can't be are refused with what to give instead")
    func wrongOptions() throws {
        var options = LocalSignalingService.Options()
        options.home = folder.path
        options.port = 70_000
        #expect(throws: HelioError.self) { try LocalSignalingService(options) }
        options.port = 0
        options.allowedHosts = ["no name"]
        #expect(throws: HelioError.self) { try LocalSignalingService(options) }
        #expect(throws: HelioError.self) { try RemoteSignalingService(.init(server: "meet.example.org")) }
        var remote = RemoteSignalingService.Options(server: "http://127.0.0.1:1")
        remote.home = folder.path
        remote.code = "no code"
        #expect(throws: HelioError.self) { try RemoteSignalingService(remote) }
        #expect(throws: HelioError.self) { try SignalingCall("heliograph://192.0.2.7/#ABCD-EFGH-JKMN-PQRS") }
        #expect(throws: HelioError.self) { try SignalingCall("no link") }
    }

    // MARK: By a rendezvous server

    private struct Unexpected: Error {
        let event: SignalingEvent?
    }

    private func opened(_ event: SignalingEvent?) throws -> any SignalingConnection {
        guard case .opened(let connection)? = event else { throw Unexpected(event: event) }
        return connection
    }

    private func message(_ event: SignalingEvent?) throws -> SignalingMessage {
        guard case .message(_, let bytes)? = event else { throw Unexpected(event: event) }
        return try SignalingMessage(parsing: bytes)
    }

    private func closed(_ event: SignalingEvent?) throws {
        guard case .closed? = event else { throw Unexpected(event: event) }
    }

    /// Makes a service at a server, and starts it; returns once the server knows it.
    private func service(
        at server: RendezvousTests.Server, _ receiver: @escaping @Sendable (SignalingEvent) -> Void
    ) async throws -> RemoteSignalingService {
        let (reached, tell) = AsyncStream.makeStream(of: String?.self)
        var options = RemoteSignalingService.Options(server: server.url)
        options.home = folder.path
        options.reached = { tell.yield($0?.message) }
        let service = try RemoteSignalingService(options)
        try await service.start(receiver)
        for await failure in reached where failure == nil { break }
        return service
    }

    @Test("an app calls another by its link, both speak, and either ends the call")
    func remote() async throws {
        let server = try RendezvousTests.Server(in: folder)
        let (events, told) = AsyncStream.makeStream(of: SignalingEvent.self)
        let service = try await service(at: server) { told.yield($0) }
        var atHost = events.makeAsyncIterator()

        for isEndedByHost in [true, false] {
            let call = try SignalingCall(service.link)
            let (answers, answered) = AsyncStream.makeStream(of: SignalingEvent.self)
            var atClient = answers.makeAsyncIterator()
            try await call.start { answered.yield($0) }
            let host = try opened(await atClient.next())
            #expect(host.isSecure)
            host.send(Self.hello.serialised())
            let client = try opened(await atHost.next())
            #expect(client.isSecure && client.remoteAddress == "127.0.0.1")
            #expect(try message(await atHost.next()) == Self.hello)
            client.send(Self.welcome.serialised())
            #expect(try message(await atClient.next()) == Self.welcome)
            if isEndedByHost { client.close() } else { host.close() }
            try closed(await atClient.next())
            try closed(await atHost.next())
            await call.stop()
        }
        let counts = await service.statistics()
        #expect(counts.messagesReceived == 2 && counts.messagesSent == 2 && counts.connections == 0)
        await service.stop()
    }

    @Test("a call by a wrong code, to nobody, or without a server ends with the reason")
    func refusals() async throws {
        let server = try RendezvousTests.Server(in: folder)
        let service = try await service(at: server) { _ in }
        let link = service.link
        let code = try #require(link.lastIndex(of: "."))
        let wrong = try SignalingCall(String(link[...code]) + "AAAA-AAAA-AAAA-AAAA")
        await #expect(throws: HelioError.self) { try await wrong.start { _ in } }
        await service.stop()
        let nobody = try SignalingCall(link)
        do {
            try await nobody.start { _ in }
            Issue.record("somebody was there")
        } catch {
            #expect(error.code == .unreachable, "\(error)")
        }
        do {
            try await nobody.start { _ in }
        } catch {
            #expect(error.code == .invalidArgument, "a call is made once")
        }
        await nobody.stop()
    }

    @Test("a call that is given up before the host is reached ends")
    func cancelled() async throws {
        // Nothing listens at port 1: the call waits for the server.
        let link = "http://127.0.0.1:1/#\(String(repeating: "0", count: 26)).AAAA-AAAA-AAAA-AAAA"
        let call = try SignalingCall(link)
        let calling = Task { () -> HelioError? in
            do throws(HelioError) {
                try await call.start { _ in }
                return nil
            } catch {
                return error
            }
        }
        calling.cancel()
        #expect(await calling.value?.code == .ended)
        await call.stop()
    }
}
