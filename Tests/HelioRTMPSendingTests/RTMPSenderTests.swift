import Foundation
import HelioCore
import HelioProtection
import HelioRTMPLink
import HelioTestPrograms
import NIOPosix
import Testing

@testable import HelioRTMPSending

/// Sent to programs that no one here wrote: nginx's RTMP module and FFmpeg.
struct RTMPSenderTests {
    private let source: TestStream
    private let events = RTMPEvents()
    private let loop = MultiThreadedEventLoopGroup.singleton.next()

    init() throws { source = try TestStream.shared.get() }

    private func sender(
        to address: String, key: String = "key-123456", options: RTMPOptions? = nil, events: RTMPEvents? = nil
    ) async throws -> RTMPSender {
        var patient = RTMPOptions()
        // All of it is sent at once, and a player that looks at what comes first takes its time.
        patient.queueAge = .seconds(30)
        patient.endTimeout = .seconds(20)
        let events = events ?? self.events
        return try await RTMPSender.start(
            RTMPStream(
                to: RTMPAddress(parsing: address), key: RTMPKey(SecretBytes(Array(key.utf8))), video: .h264,
                sound: source.sound), options: options ?? patient, on: loop
        ) { events.add($0) }
    }

    private func sendAll(_ sender: RTMPSender) { for unit in source.units { sender.send(unit) } }

    /// Each picture as it was coded, and each access unit of sound.
    @Test func nginxRecords() async throws {
        let server = try NginxServer()
        let sender = try await sender(to: "rtmp://127.0.0.1:\(server.port)/live")
        try await events.published()
        sendAll(sender)
        await sender.close()
        #expect(events.states == [.connecting, .publishing, .closed])
        #expect(source.pictureDigests.count == 120)
        #expect(try server.recorded("key-123456", "0:v") == source.pictureDigests)
        #expect(try server.recorded("key-123456", "0:a", copy: true) == source.soundDigests)
        let statistics = await sender.statistics()
        #expect(statistics.drops.isEmpty)
        #expect(statistics.sentPictures == 120)
        #expect(statistics.connections == 1)
    }

    /// What a player gets that had been there before.
    @Test func nginxPlays() async throws {
        let server = try NginxServer()
        let player = try RunningProgram(
            "ffmpeg",
            [
                "-hide_banner", "-nostdin", "-v", "error", "-threads", "1", "-i",
                "rtmp://127.0.0.1:\(server.port)/live/key-123456",
                "-map", "0:v", "-fps_mode", "passthrough", "-frames:v", "120", "-f", "framemd5", "-",
            ], environment: [:])
        try server.program.line(with: "play: name='key-123456'")
        let sender = try await sender(to: "rtmp://127.0.0.1:\(server.port)/live")
        try await events.published()
        sendAll(sender)
        try await eventually("all is sent") { await sender.statistics().sentPictures == 120 }
        let statistics = await sender.statistics()
        #expect(statistics.roundTrip > .zero && statistics.roundTrip < .seconds(1))
        await sender.close()
        _ = player.waitUntilExit()
        #expect(TestStream.digests(Data(player.text.utf8)) == source.pictureDigests)
    }

    @Test func ffmpegListens() async throws {
        let port = try #require(LoopbackPort.find())
        let listener = try RunningProgram(
            "ffmpeg",
            [
                "-hide_banner", "-nostdin", "-v", "error", "-listen", "1", "-i",
                "rtmp://127.0.0.1:\(port)/app/one/key-123456", "-map", "0:v", "-fps_mode", "passthrough", "-f",
                "framemd5", "-",
            ], environment: [:])
        let sender = try await sender(to: "rtmp://127.0.0.1:\(port)/app/one")
        try await events.published()
        sendAll(sender)
        await sender.close()
        _ = listener.waitUntilExit()
        #expect(TestStream.digests(Data(listener.text.utf8)) == source.pictureDigests)
    }

    /// A key by which somebody is sending already is refused, said as what it is, and not tried again.
    @Test func keyInUse() async throws {
        let server = try NginxServer()
        let first = try await sender(to: "rtmp://127.0.0.1:\(server.port)/live")
        try await events.published()
        let others = RTMPEvents()
        let second = try await sender(to: "rtmp://127.0.0.1:\(server.port)/live", events: others)
        #expect(try await others.end() == .refused(.badKey))
        #expect(others.states == [.connecting, .refused(.badKey)])
        for text in ["\(others.all)", RTMPRefusal.badKey.message] { #expect(!text.contains("123456")) }
        await second.close()
        await first.close()
    }

    /// A server that hangs up as soon as it hears the key is not tried for ever.
    @Test func keyDenied() async throws {
        let server = try NginxServer()
        let sender = try await sender(to: "rtmp://127.0.0.1:\(server.port)/locked")
        #expect(try await events.end(within: .seconds(60)) == .refused(.hangsUp))
        #expect(events.states.count { $0 == .connecting } == 6)
        await sender.close()
    }

    @Test func secure() async throws {
        let server = try NginxServer()
        let sender = try await sender(
            to: "rtmps://127.0.0.1:\(server.securePort)/live#sha256=\(server.fingerprint)")
        try await events.published()
        sendAll(sender)
        await sender.close()
        #expect(try server.recorded("key-123456", "0:v") == source.pictureDigests)
    }

    /// Nobody vouches for its certificate, or it is another one than was pinned: nothing is said to it.
    @Test func secureRefused() async throws {
        let server = try NginxServer()
        let sender = try await sender(to: "rtmps://127.0.0.1:\(server.securePort)/live")
        #expect(try await events.end() == .refused(.untrusted))
        await sender.close()
        let others = RTMPEvents()
        let other = String(repeating: "AB", count: 32)
        let second = try await self.sender(
            to: "rtmps://127.0.0.1:\(server.securePort)/live#sha256=\(other)", events: others)
        #expect(try await others.end() == .refused(.wrongCertificate))
        #expect(others.states == [.connecting, .refused(.wrongCertificate)])
        await second.close()
    }

    /// Away at the start, there later, killed, and there again.
    @Test func comesAndGoes() async throws {
        let server = try NginxServer()
        server.program.kill()
        _ = server.program.waitUntilExit()
        let sender = try await sender(to: "rtmp://127.0.0.1:\(server.port)/live")
        try await eventually("nobody answers", sees: "\(events.all)") {
            events.states.contains(.broken(.unreachable))
        }
        try server.restart()
        try await events.published()
        sendAll(sender)
        server.program.kill()
        _ = server.program.waitUntilExit()
        try await eventually("it is gone", sees: "\(events.all)") {
            events.states.contains { $0 == .broken(.lost) || $0 == .broken(.hungUp) }
        }
        sender.send(source.units[0])
        #expect(await sender.statistics().drops["rtmp-not-connected", default: 0] >= 1)
        try server.restart()
        try await events.published(times: 2)
        sendAll(sender)
        await sender.close()
        #expect(try server.recorded("key-123456", "0:v") == source.pictureDigests)
    }

    /// One that stops for a while costs whole groups of pictures, counted; nothing piles up, and it goes on.
    @Test func stalls() async throws {
        let server = try NginxServer()
        let sender = try await sender(to: "rtmp://127.0.0.1:\(server.port)/live", options: RTMPOptions())
        try await events.published()
        server.program.kill(SIGSTOP)
        var next = ContinuousClock.now
        var bytes = [UInt8](repeating: 0x55, count: 100_000)
        bytes[0] = 0x41
        let large = RTMPUnit(
            .picture, bytes: [0, 0, 0, 1] + bytes, presentation: .milliseconds(1))
        sender.send(source.units[0])
        try await eventually("pictures are dropped", sees: "\(events.all)") {
            if ContinuousClock.now >= next {
                next += .milliseconds(10)
                sender.send(large)
            }
            return events.all.count { $0 == .wantsKeyframe } >= 2
        }
        let statistics = await sender.statistics()
        #expect(statistics.drops["rtmp-stale-picture", default: 0] > 10)
        #expect(statistics.unsentBytes < 300_000)
        server.program.kill(SIGCONT)
        sender.send(source.units[0])
        await sender.close()
        #expect(events.states == [.connecting, .publishing, .closed])
    }

    @Test func unresolved() async throws {
        let sender = try await sender(to: "rtmp://nobody.invalid/live")
        try await eventually("the name is unknown", sees: "\(events.all)") {
            events.states.contains(.broken(.unresolved))
        }
        await sender.close()
        #expect(events.states.last == .closed)
    }

    /// Closed while nobody answers, it ends at once.
    @Test func closesEarly() async throws {
        let port = try #require(LoopbackPort.find())
        let sender = try await sender(to: "rtmp://127.0.0.1:\(port)/live")
        await sender.close()
        #expect(events.states.first == .connecting && events.states.last == .closed)
        sender.send(source.units[0])
        #expect(await sender.statistics().drops == ["rtmp-ended": 1])
    }
}
