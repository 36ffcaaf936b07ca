import Foundation
import HelioTestPrograms
import Heliograph
import Synchronization
import Testing

/// Traffic that strangers send to a host's ports, which viewers must not notice.
extension SDKTests {
    /// The beginning of a TLS handshake record, with this many bytes of a message that declares `length`.
    private static func handshake(_ content: Int, saysLength length: Int) -> [UInt8] {
        [0x16, 0x03, 0x01, UInt8(content >> 8), UInt8(content & 0xFF)]
            + [0x01, UInt8(length >> 16), UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF), 0x03, 0x03]
            + [UInt8](repeating: 7, count: content - 6)
    }

    private static let noise = (0..<65536).map { UInt8(truncatingIfNeeded: ($0 &* 167) &+ ($0 >> 7)) }

    private static func options(_ count: Int) -> String {
        (1...count).map { "OPTIONS * RTSP/1.0\r\nCSeq: \($0)\r\n\r\n" }.joined()
    }

    /// The resident memory of this process, in MiB.
    private func residentMemory() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
        return try #require(line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }) / 1024
    }

    /// Sends frames to a sink during `attack`, each as soon as the one before has arrived.
    ///
    /// - Returns: the number of frames that arrived.
    private func watch(
        _ source: MirrorSource, _ encoder: FakeEncoder, while attack: @escaping @Sendable () async -> Void
    ) async throws -> Int {
        let sink = try MirrorSink(link: try await source.link.text)
        sink.start()
        for await entry in encoder.diary.entries where entry == "keyframe" { break }
        let over = Over()
        let attackers = Task {
            await attack()
            over.isOver.store(true, ordering: .releasing)
        }
        var frames = 0
        while !over.isOver.load(ordering: .acquiring) {
            #expect(try source.write(Self.frame(frames, isKeyframe: frames == 0)))
            let isServed = try await wait(sink) { event -> Bool? in
                switch event {
                case .received: true
                case .disconnected, .ended: false
                default: nil
                }
            }
            try #require(isServed)
            frames += 1
        }
        await attackers.value
        await sink.stop()
        return frames
    }

    private final class Over: Sendable {
        let isOver = Atomic(false)
    }

    @Test("truncated, oversized, slow and endless TLS: put out in seconds, and who watches does not notice")
    func hostileTLS() async throws {
        let encoder = FakeEncoder()
        try await withSource(encoder) { source in
            let attacker = Attacker(port: source.port)
            let before = try residentMemory()
            let frames = try await watch(source, encoder) {
                await withTaskGroup(of: (String, Attacker.Outcome).self) { group in
                    group.addTask { ("noise", await attacker.speak(Self.noise)) }
                    group.addTask {
                        ("cut record", await attacker.speak(Array(Self.handshake(400, saysLength: 396)[..<90])))
                    }
                    group.addTask { ("cut message", await attacker.speak(Self.handshake(400, saysLength: 4000))) }
                    group.addTask { ("16 MB", await attacker.speak(Self.handshake(16384, saysLength: 0xFF_FFFF))) }
                    group.addTask {
                        ("endless", await attacker.speak(Self.handshake(16384, saysLength: 0xFF_FFFF), endless: true))
                    }
                    group.addTask { ("slow", await attacker.speak(Self.handshake(16000, saysLength: 15996), pace: 1)) }
                    group.addTask { ("nothing", await attacker.speak([])) }
                    for await (what, outcome) in group {
                        #expect(outcome == .putOut, "\(what)")
                    }
                }
            }
            #expect(frames > 20)
            #expect(try residentMemory() - before < 64)
        }
    }

    /// The same attacks at the page's port.
    @Test("TLS, pages and junk without end at the page's port: who watches does not notice")
    func hostilePage() async throws {
        let encoder = FakeEncoder()
        var web = WebOptions()
        web.port = 0
        try await withSource(encoder, web: web) { source in
            let page = try #require(try await source.link.web.flatMap { URLComponents(string: $0)?.port })
            let attacker = Attacker(port: page, patience: .seconds(5))
            let before = try residentMemory()
            let limits = ["page-too-fast", "page-too-much-asked"]
            let (begun, over) = (ContinuousClock.now, Over())
            let get = Array(String(repeating: "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", count: 8).utf8)
            let hello = Self.handshake(400, saysLength: 396)
            let frames = try await watch(source, encoder) {
                await withTaskGroup(of: Void.self) { group in
                    for bytes in [get, get, Self.noise] + Array(repeating: hello, count: 12) {
                        // Repeated, as soon as the connection is closed.
                        group.addTask {
                            while !over.isOver.load(ordering: .acquiring) {
                                _ = await attacker.speak(bytes, endless: true)
                            }
                        }
                    }
                    // If one of the limits is not reached, the figures below show it.
                    try? await eventually("each of the limits is met") {
                        let drops = try await source.statistics().drops
                        return limits.allSatisfy { drops[$0] != nil }
                    }
                    over.isOver.store(true, ordering: .releasing)
                }
            }
            #expect(frames > Int((ContinuousClock.now - begun) / .milliseconds(200)))
            #expect(try residentMemory() - before < 64)
            let drops = try await source.statistics().drops
            #expect(limits.allSatisfy { drops[$0, default: 0] > 0 }, "\(drops)")
        }
    }

    @Test("2,000 connections of one address: few are answered by TLS, and another joins and watches meanwhile")
    func manyConnections() async throws {
        let encoder = FakeEncoder()
        try await withSource(encoder) { source in
            // Fails in TLS at once, but counts as a handshake.
            let junk = Array(Self.noise[..<64])
            let attacker = Attacker(port: source.port, origin: "127.0.0.2", patience: .seconds(5))
            let (begun, over) = (ContinuousClock.now, Over())
            let refused: @Sendable () async throws -> Int = {
                try await source.statistics().drops["connection-too-often", default: 0]
            }
            let flood = Task {
                var count = 0
                while count < 2000 || !over.isOver.load(ordering: .acquiring) {
                    #expect(await attacker.speak(junk) == .putOut)
                    count += 1
                }
                return count
            }
            do {
                try await eventually("connections are closed as they come") { try await refused() > 0 }
                let frames = try await watch(source, encoder) {
                    let before = (try? await refused()) ?? 0
                    try? await eventually("500 more have come") { try await refused() >= before + 500 }
                }
                #expect(frames > 0)
            } catch {
                flood.cancel()
                over.isOver.store(true, ordering: .releasing)
                _ = await flood.value
                throw error
            }
            over.isOver.store(true, ordering: .releasing)
            let count = await flood.value
            let seconds = (ContinuousClock.now - begun) / .seconds(1)
            let drops = try await source.statistics().drops
            let answered = count - drops["connection-too-often", default: 0] - drops["connection-too-fast", default: 0]
            // A burst of 32, and 8 a second.
            #expect(Double(answered) <= 33 + 8 * seconds, "\(drops)")
        }
    }

    @Test("truncated, oversized, pipelined and endless RTSP: put out in seconds, and who watches does not notice")
    func hostileRTSP() async throws {
        let encoder = FakeEncoder()
        try await withSource(encoder) { source in
            let attacker = Attacker(port: source.port)
            let before = try residentMemory()
            let frames = try await watch(source, encoder) {
                await withTaskGroup(of: (String, String?).self) { group in
                    group.addTask { ("cut", await attacker.speakTLS("OPTIONS * RTSP/1.0\r\nCSe")) }
                    group.addTask { ("line", await attacker.speakTLS(String(repeating: "A", count: 1 << 20))) }
                    group.addTask {
                        let header = "X-Long: \(String(repeating: "A", count: 1000))\r\n"
                        let head = String(repeating: header, count: 1000)
                        return ("head", await attacker.speakTLS("OPTIONS * RTSP/1.0\r\nCSeq: 1\r\n\(head)\r\n"))
                    }
                    group.addTask {
                        let head = "OPTIONS * RTSP/1.0\r\nCSeq: 1\r\nContent-Length: 99999999999\r\n\r\n"
                        return ("body", await attacker.speakTLS(head))
                    }
                    group.addTask { ("pipelined", await attacker.speakTLS(Self.options(10_000))) }
                    group.addTask { ("endless", await attacker.speakTLS(Self.options(1000), endless: true)) }
                    group.addTask {
                        ("noise", await attacker.speakTLS(String(repeating: "\u{1}é", count: 9999), endless: true))
                    }
                    for await (what, answer) in group {
                        #expect(answer != nil, "\(what) is still there")
                    }
                }
            }
            #expect(frames > 20)
            #expect(try residentMemory() - before < 64)
        }
    }

    @Test("16 at a time who ask on and on and read nothing pin no memory, and who watches does not notice")
    func unreadAnswers() async throws {
        let encoder = FakeEncoder()
        try await withSource(encoder) { source in
            let attacker = Attacker(port: source.port, patience: .seconds(5))
            let before = try residentMemory()
            let frames = try await watch(source, encoder) {
                await withTaskGroup(of: String?.self) { group in
                    for _ in 0..<16 {
                        group.addTask { await attacker.speakTLS(Self.options(1000), endless: true, reads: false) }
                    }
                    for await answer in group { #expect(answer != nil, "one is still there") }
                }
            }
            #expect(frames > 20)
            #expect(try residentMemory() - before < 32)
            #expect(try await source.statistics().drops["too-many-requests", default: 0] >= 1)
        }
    }
}
