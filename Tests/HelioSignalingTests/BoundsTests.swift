import HelioAdmission
import HelioSignaling
import HelioTLS
import HelioTestLanes
import Testing

@Suite("What one or many may ask of the host", .timeLimit(.minutes(1)), .tags(.quiet))
struct BoundsTests {
    /// Limits for tests that connect and start more often than strangers may.
    private static let noLimit = StrangerLimit(
        arrivals: ArrivalBudget(burst: 1000, refill: 1000, overallBurst: 1_000_000),
        begun: GuessLimiter(burst: 1000, refill: 1000))

    @Test("too many messages: an error, and out")
    func flood() async throws {
        let host = try await EchoHost(echoes: false) { $0.messagesPerSecond = 0.001 }
        let client = try await host.talker()
        client.post((0..<300).flatMap { _ in Frame.text("more") })
        #expect(try await client.frame().string == #"{"type":"error","message":"Too many messages."}"#)
        #expect(try await client.frame().code == 1008)
        client.post(Frame.close(1008))
        await client.closed()
        let statistics = await host.service.statistics()
        #expect(statistics.messagesReceived == 100 && statistics.drops == ["too-many-messages": 1])
        await host.service.stop()
    }

    @Test("pings count too")
    func pingFlood() async throws {
        let host = try await EchoHost { $0.messagesPerSecond = 0.001 }
        let client = try await host.talker()
        client.post((0..<300).flatMap { _ in Frame.bytes(Frame.ping, []) })
        for _ in 0..<100 { #expect(try await client.frame().first == 0x8A) }
        #expect(try await client.goodbye().code == 1008)
        await host.service.stop()
    }

    @Test("as many messages as are allowed go on for ever")
    func steady() async throws {
        let host = try await EchoHost {
            $0.messageBurst = 2
            $0.messagesPerSecond = 10_000
        }
        let client = try await host.talker()
        // Each message waits for its echo, which takes longer than the refill of one message.
        for number in 0..<500 {
            try await client.send(Frame.text("\(number)"))
            #expect(try await client.frame().string == "\(number)")
        }
        #expect(await host.drops().isEmpty)
        await host.service.stop()
    }

    @Test("messages do not pile up for who reads none")
    func slowReader() async throws {
        let host = try await EchoHost()
        let client = try await host.client(reads: false)
        try await client.send(RawClient.upgrade())
        #expect(await host.event() == .opened(1, from: "127.0.0.1"))
        // More than the system's socket buffers and the host's queue hold.
        try await host.with(1) { connection in
            for _ in 0..<400 { connection.send([UInt8](repeating: 65, count: 64 << 10)) }
        }
        #expect(await host.event() == .closed(1))
        #expect(await host.drops() == ["unread": 1])
        await client.closed()
        await host.service.stop()
    }

    @Test("who is gone without a word is noticed")
    func halfOpen() async throws {
        // Long enough for a machine that stalls for a moment: the first ping must be answered within it.
        let host = try await EchoHost { $0.pingInterval = .seconds(1) }
        let client = try await host.talker()
        let first = try await client.frame()
        #expect(first.first == 0x89)
        try await client.send(Frame.bytes(Frame.pong, first.content))
        let second = try await client.frame()
        #expect(second.first == 0x89 && second.content != first.content)
        // A pong that doesn't answer this ping; messages don't count either.
        try await client.send(Frame.bytes(Frame.pong, first.content) + Frame.text("here"))
        #expect(try await client.frame().string == "here")
        #expect(await client.readAll().isEmpty)
        #expect(await host.closed() == 1)
        #expect(await host.drops() == ["silent": 1])
        await host.service.stop()
    }

    @Test("who only stops talking is closed")
    func halfClosed() async throws {
        let host = try await EchoHost()
        let client = try await host.talker()
        try await client.endOutput()
        #expect(await client.readAll().isEmpty)
        #expect(await host.closed() == 1)
        await host.service.stop()
    }

    @Test("hundreds at once: strangers make room, the oldest first")
    func manyConnections() async throws {
        let host = try await EchoHost { $0.strangers = Self.noLimit }
        var clients: [RawClient] = []
        for _ in 0..<256 { clients.append(try await host.talker()) }
        var statistics = await host.service.statistics()
        #expect(statistics.connections == 256 && statistics.talking == 256 && statistics.drops.isEmpty)
        // All connections still work.
        for (number, client) in clients.enumerated() { try await client.send(Frame.text("\(number)")) }
        for (number, client) in clients.enumerated() { #expect(try await client.frame().string == "\(number)") }
        for _ in 0..<50 { clients.append(try await host.talker()) }
        for client in clients[..<50] { #expect(await client.readAll().isEmpty) }
        try await clients[50].send(Frame.text("still here"))
        #expect(try await clients[50].frame().string == "still here")
        statistics = await host.service.statistics()
        #expect(statistics.connections == 256 && statistics.drops == ["made-room": 50])
        for client in clients { await client.close() }
        await host.service.stop()
    }

    @Test("who was let in does not make room")
    func admitted() async throws {
        let host = try await EchoHost(admits: true) { $0.maximumConnections = 4 }
        var clients: [RawClient] = []
        for _ in 0..<4 { clients.append(try await host.talker()) }
        let late = try await host.client()
        #expect(await late.readAll().isEmpty)
        for client in clients {
            try await client.send(Frame.text("here"))
            #expect(try await client.frame().string == "here")
        }
        #expect(await host.drops() == ["too-many-connections": 1])
        // A client leaves, which makes room.
        await clients[0].close()
        _ = await host.closed()
        #expect(try await host.client().ask().status == 200)
        await host.service.stop()
    }

    @Test("who opens many connections pushes out his own")
    func crowd() async throws {
        let host = try await EchoHost {
            $0.maximumConnections = 8
            $0.strangers = Self.noLimit
        }
        let quiet = try await RawClient(port: host.port, from: "127.0.0.2")
        try await quiet.upgrade()
        var crowd: [RawClient] = []
        for _ in 0..<40 { crowd.append(try await host.talker()) }
        try await quiet.send(Frame.text("here"))
        #expect(try await quiet.frame().string == "here")
        #expect(await host.drops() == ["made-room": 33])
        for client in crowd { await client.close() }
        await host.service.stop()
    }
}
