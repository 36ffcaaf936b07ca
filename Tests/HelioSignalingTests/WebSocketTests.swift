import HelioCore
import HelioSignaling
import HelioTestLanes
import Testing

@Suite("Messages by WebSocket (RFC 6455)", .timeLimit(.minutes(1)), .tags(.quiet))
struct WebSocketTests {
    @Test("the answer of the RFC's example, and messages both ways")
    func echo() async throws {
        let host = try await EchoHost()
        let client = try await host.client()
        try await client.send(RawClient.upgrade())
        let head = try await client.readHead()
        #expect(head.hasPrefix("HTTP/1.1 101 "))
        #expect(head.contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="))
        #expect(await host.event() == .opened(1, from: "127.0.0.1"))
        for text in ["hello", "", "ünïcode ☀️", String(repeating: "x", count: 125), String(repeating: "y", count: 126)] {
            try await client.send(Frame.text(text))
            #expect(try await client.frame() == Frame(first: 0x81, content: Array(text.utf8)))
            #expect(await host.event() == .message(1, text))
        }
        let statistics = await host.service.statistics()
        #expect(statistics.talking == 1 && statistics.messagesReceived == 5 && statistics.messagesSent == 5)
        #expect(statistics.drops.isEmpty)
        await host.service.stop()
    }

    @Test("what comes right behind the request is heard, even byte by byte, and behind other requests")
    func pipelined() async throws {
        let host = try await EchoHost()
        let eager = try await host.client()
        try await eager.send(
            Array((RawClient.request("GET", "/main.js") + RawClient.upgrade()).utf8) + Frame.text("now"))
        #expect(try await eager.answer().status == 200)
        #expect(try await eager.readHead().hasPrefix("HTTP/1.1 101 "))
        #expect(try await eager.frame().string == "now")
        let slow = try await host.client()
        for byte in Array(RawClient.upgrade().utf8) + Frame.text("slow") { try await slow.send([byte]) }
        #expect(try await slow.readHead().hasPrefix("HTTP/1.1 101 "))
        #expect(try await slow.frame().string == "slow")
        await host.service.stop()
    }

    @Test("the largest message is taken, whole or in pieces, with a ping between them")
    func fragmented() async throws {
        let host = try await EchoHost()
        let client = try await host.talker()
        let large = [UInt8](repeating: UInt8(ascii: "z"), count: 64 << 10)
        try await client.send(Frame.bytes(Frame.text, large))
        #expect(try await client.frame().content == large)
        try await client.send(Frame.bytes(Frame.text, Array(large[..<30_000]), fin: false))
        try await client.send(Frame.bytes(Frame.ping, Array("still?".utf8)))
        #expect(try await client.frame() == Frame(first: 0x8A, content: Array("still?".utf8)))
        try await client.send(Frame.bytes(0, [], fin: false))
        try await client.send(Frame.bytes(0, Array(large[30_000...])))
        #expect(try await client.frame().content == large)
        // A character may be split between fragments.
        let letter = Array("ü".utf8)
        try await client.send(Frame.bytes(Frame.text, [letter[0]], fin: false) + Frame.bytes(0, [letter[1]]))
        #expect(try await client.frame().string == "ü")
        #expect(await host.drops().isEmpty)
        await host.service.stop()
    }

    struct Violation: Sendable {
        let name: String
        let bytes: [UInt8]
        let code: UInt16
        let drop: String
    }

    static let violations: [Violation] = [
        Violation(name: "binary", bytes: Frame.bytes(Frame.binary, [1]), code: 1003, drop: "binary-message"),
        Violation(
            name: "unmasked", bytes: Frame.bytes(Frame.text, [65], mask: nil), code: 1002, drop: "unmasked-frame"),
        Violation(
            name: "unmasked ping", bytes: Frame.bytes(Frame.ping, [], mask: nil), code: 1002, drop: "unmasked-frame"),
        Violation(
            name: "a byte too large", bytes: Frame.bytes(Frame.text, [UInt8](repeating: 65, count: 65537)), code: 1009,
            drop: "oversized-message"),
        Violation(
            name: "claims 4 GiB", bytes: Frame.bytes(Frame.text, [], length: 1 << 32), code: 1009,
            drop: "oversized-message"),
        Violation(
            name: "claims 2^63", bytes: Frame.bytes(Frame.text, [], length: 1 << 63), code: 1009,
            drop: "oversized-message"),
        Violation(
            name: "too large in pieces",
            bytes: Frame.bytes(Frame.text, [UInt8](repeating: 65, count: 65536), fin: false) + Frame.bytes(0, [65]),
            code: 1009, drop: "oversized-message"),
        Violation(
            name: "pieces without end",
            bytes: Frame.bytes(Frame.text, [], fin: false) + (0..<100).flatMap { _ in Frame.bytes(0, [], fin: false) },
            code: 1008, drop: "too-many-messages"),
        Violation(name: "a piece of nothing", bytes: Frame.bytes(0, [65]), code: 1002, drop: "malformed-frame"),
        Violation(
            name: "a message within another",
            bytes: Frame.bytes(Frame.text, [65], fin: false) + Frame.bytes(Frame.text, [65]), code: 1002,
            drop: "malformed-frame"),
        Violation(
            name: "a reserved bit", bytes: Frame.bytes(Frame.text, [65], reserved: 0x40), code: 1002,
            drop: "malformed-frame"),
        Violation(name: "an unknown kind", bytes: Frame.bytes(3, [65]), code: 1002, drop: "malformed-frame"),
        Violation(name: "an unknown control", bytes: Frame.bytes(11, []), code: 1002, drop: "malformed-frame"),
        Violation(
            name: "a ping in pieces", bytes: Frame.bytes(Frame.ping, [], fin: false), code: 1002,
            drop: "malformed-frame"),
        Violation(
            name: "a large ping", bytes: Frame.bytes(Frame.ping, [UInt8](repeating: 0, count: 126)), code: 1002,
            drop: "malformed-frame"),
        Violation(name: "no UTF-8", bytes: Frame.bytes(Frame.text, [0xC3, 0x28]), code: 1007, drop: "malformed-text"),
        Violation(name: "half a letter", bytes: Frame.bytes(Frame.text, [0xC3]), code: 1007, drop: "malformed-text"),
        Violation(
            name: "a surrogate", bytes: Frame.bytes(Frame.text, [0xED, 0xA0, 0x80]), code: 1007, drop: "malformed-text"),
        Violation(
            name: "half a close code", bytes: Frame.bytes(Frame.close, [3]), code: 1002, drop: "malformed-frame"),
        Violation(
            name: "a close code that none may send", bytes: Frame.close(1005), code: 1002, drop: "malformed-frame"),
        Violation(name: "close code 0", bytes: Frame.close(0), code: 1002, drop: "malformed-frame"),
        Violation(
            name: "a close reason that is no UTF-8", bytes: Frame.bytes(Frame.close, [3, 232, 0xFF]), code: 1002,
            drop: "malformed-frame"),
    ]

    @Test("who breaks the protocol is told how, and out", arguments: violations.indices)
    func violation(index: Int) async throws {
        let violation = Self.violations[index]
        let host = try await EchoHost(echoes: false)
        let client = try await host.talker()
        // Frames after the violation are ignored.
        client.post(violation.bytes + Frame.text("afterwards"))
        let goodbye = try await client.goodbye()
        #expect(goodbye.code == violation.code, "\(violation.name)")
        #expect(String(decoding: goodbye.content.dropFirst(2), as: UTF8.self) == violation.drop)
        client.post(Frame.close(violation.code))
        await client.closed()
        #expect(await host.event() == .opened(1, from: "127.0.0.1"))
        #expect(await host.event() == .closed(1), "\(violation.name)")
        #expect(await host.drops() == [violation.drop: 1])
        await host.service.stop()
    }

    @Test("junk of any kind is no reason to fall", arguments: 0..<8)
    func junk(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let host = try await EchoHost()
        for _ in 0..<16 {
            let client = try await host.talker()
            var bytes: [UInt8] = []
            while bytes.count < 4000 {
                let opcode = [0, 1, 1, 1, 2, 8, 9, 10, 3, 15].randomElement(using: &random)!
                let content = (0..<Int.random(in: 0...140, using: &random)).map { _ in
                    UInt8.random(in: 0...255, using: &random)
                }
                let lies = Int.random(in: 0..<20, using: &random) == 0
                bytes += Frame.bytes(
                    UInt8(opcode), content, fin: Bool.random(using: &random),
                    reserved: Int.random(in: 0..<9, using: &random) == 0 ? 0x10 : 0,
                    mask: Int.random(in: 0..<9, using: &random) == 0 ? nil : [9, 8, 7, 6],
                    length: lies ? .random(in: 0...(.max), using: &random) : nil)
            }
            client.post(bytes)
            // Each input violates the protocol at some point.
            #expect(try await client.goodbye().first == 0x88)
            await client.close()
        }
        #expect(try await host.client().ask().status == 200)
        await host.service.stop()
    }

    @Test("the other end closes: it gets its code back", arguments: [nil, 1000, 1001, 3000, 4999] as [UInt16?])
    func closedByPeer(code: UInt16?) async throws {
        let host = try await EchoHost()
        let client = try await host.talker()
        try await client.send(code.map { Frame.close($0) } ?? Frame.bytes(Frame.close, []))
        let goodbye = try await client.frame()
        #expect(goodbye.first == 0x88 && goodbye.code == code)
        #expect(await client.readAll().isEmpty)
        #expect(await host.closed() == 1)
        #expect(await host.service.statistics().talking == 0)
        #expect(await host.drops().isEmpty)
        await host.service.stop()
    }

    @Test("this end closes: what was sent comes first, and nothing is heard afterwards")
    func closedHere() async throws {
        let host = try await EchoHost()
        let client = try await host.talker()
        _ = await host.event()
        try await host.with(1) { connection in
            connection.send(Array("refused".utf8))
            connection.close()
            connection.close()
            connection.send(Array("too late".utf8))
        }
        #expect(try await client.frame().string == "refused")
        #expect(try await client.frame().code == 1000)
        try await client.send(Frame.text("wait") + Frame.close(1000))
        #expect(await client.readAll().isEmpty)
        #expect(await host.event() == .closed(1))
        await host.service.stop()
    }

    @Test("who does not answer a close is hung up on")
    func unansweredClose() async throws {
        let host = try await EchoHost { $0.closeTimeout = .milliseconds(100) }
        let client = try await host.talker()
        _ = await host.event()
        try await host.with(1) { $0.close() }
        #expect(try await client.frame().code == 1000)
        #expect(await client.readAll().isEmpty)
        #expect(await host.event() == .closed(1))
        await host.service.stop()
    }

    @Test("stopping says good-bye")
    func stop() async throws {
        let host = try await EchoHost()
        let client = try await host.talker()
        _ = await host.event()
        async let stopped: Void = host.service.stop()
        #expect(try await client.frame().code == 1001)
        try await client.send(Frame.close(1001))
        await stopped
        #expect(await host.event() == .closed(1))
        #expect(await client.readAll().isEmpty)
        await #expect(throws: (any Error).self) { try await host.client() }
    }
}
