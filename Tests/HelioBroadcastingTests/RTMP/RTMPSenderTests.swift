import Foundation
import HelioBroadcast
import HelioCore
import HelioGround
import HelioProtection
import HelioTestLanes
import HelioTestPrograms
import NIOPosix
import Testing

@testable import HelioBroadcasting

/// Sends to third-party programs: nginx's RTMP module and FFmpeg.
@Suite(.tags(.quiet))
struct RTMPSenderTests {
    private let source: RTMPStream
    private let events = SenderEvents()
    private let loop = MultiThreadedEventLoopGroup.singleton.next()

    init() throws { source = try RTMPStream.shared.get() }

    private func sender(
        to address: String, key: String = "key-123456", isPatient: Bool = true,
        firstWait: Duration = .milliseconds(500), events: SenderEvents? = nil
    ) throws -> RTMPSender {
        var options = RTMPOptions()
        options.broadcast.firstWait = firstWait
        if isPatient {
            // All units are queued at once, and a player takes time to probe the beginning.
            options.broadcast.queueAge = .seconds(30)
            options.broadcast.endTimeout = .seconds(20)
        }
        let events = events ?? self.events
        return try RTMPSender(
            to: RTMPAddress(parsing: address, key: StreamSecret(key: SecretBytes(Array(key.utf8)))), source.tracks,
            options: options, on: loop
        ) { events.add($0) }
    }

    private func sendAll(_ sender: RTMPSender) { for unit in source.units { unit.send(by: sender) } }

    /// The recording has each picture and each access unit of sound unchanged.
    @Test func nginxRecords() async throws {
        let server = try NginxServer()
        let sender = try sender(to: "rtmp://127.0.0.1:\(server.port)/live")
        try await events.connected()
        sendAll(sender)
        await sender.close()
        #expect(events.states == [.connecting, .live, .ended])
        #expect(source.pictureDigests.count == 120)
        #expect(try server.recorded("key-123456", "0:v") == source.pictureDigests)
        #expect(try server.recorded("key-123456", "0:a", copy: true) == source.soundDigests)
        let statistics = sender.statistics
        #expect(statistics.drops.isEmpty)
        #expect(statistics.pictures == 120)
        #expect(statistics.connections == 1)
    }

    /// A player that was connected before receives the stream.
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
        let sender = try sender(to: "rtmp://127.0.0.1:\(server.port)/live")
        try await events.connected()
        sendAll(sender)
        try await eventually("all is sent") { sender.statistics.pictures == 120 }
        try await eventually("the round trip is known", sees: "\(sender.statistics)") {
            let time = sender.statistics.roundTrip ?? .zero
            return time > .zero && time < .seconds(1)
        }
        await sender.close()
        _ = player.waitUntilExit()
        #expect(FrameDigests.parse(player.text) == source.pictureDigests)
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
        let sender = try sender(to: "rtmp://127.0.0.1:\(port)/app/one")
        try await events.connected()
        sendAll(sender)
        await sender.close()
        _ = listener.waitUntilExit()
        #expect(FrameDigests.parse(listener.text) == source.pictureDigests)
    }

    /// A key in use by another sender is retried: that sender may leave.
    @Test func keyInUse() async throws {
        let server = try NginxServer()
        let first = try sender(to: "rtmp://127.0.0.1:\(server.port)/live")
        try await events.connected()
        let others = SenderEvents()
        let second = try sender(to: "rtmp://127.0.0.1:\(server.port)/live", events: others)
        try await eventually("it waits", sees: "\(others.all)") {
            others.states.contains(.waiting(RTMPFailure.nameInUse.failure))
        }
        #expect(others.states.first { $0.failure != nil }?.failure?.kind == .busy)
        #expect(!"\(others.all)".contains("123456"))
        await first.close()
        try await others.connected()
        await second.close()
    }

    /// A server that closes the connection on receiving the key is retried a limited number of times.
    @Test func keyDenied() async throws {
        let server = try NginxServer()
        let sender = try sender(to: "rtmp://127.0.0.1:\(server.port)/locked", firstWait: .milliseconds(20))
        let end = try await events.end()
        #expect(end == .refused(RTMPFailure.hangsUp.failure))
        #expect(end?.failure?.kind == .unauthorized)
        #expect(events.states.count { $0 == .connecting } == 6)
        #expect(!"\(events.all)".contains("123456"))
        await sender.close()
    }

    @Test func secure() async throws {
        let server = try NginxServer()
        let sender = try sender(
            to: "rtmps://127.0.0.1:\(server.securePort)/live#sha256=\(server.fingerprint)")
        try await events.connected()
        sendAll(sender)
        await sender.close()
        #expect(try server.recorded("key-123456", "0:v") == source.pictureDigests)
    }

    /// With an untrusted certificate, or another one than the pinned, nothing is sent.
    @Test func secureRefused() async throws {
        let server = try NginxServer()
        let sender = try sender(to: "rtmps://127.0.0.1:\(server.securePort)/live")
        #expect(try await events.end() == .refused(RTMPFailure.untrusted.failure))
        await sender.close()
        let others = SenderEvents()
        let other = String(repeating: "AB", count: 32)
        let second = try self.sender(
            to: "rtmps://127.0.0.1:\(server.securePort)/live#sha256=\(other)", events: others)
        #expect(try await others.end() == .refused(RTMPFailure.wrongCertificate.failure))
        #expect(others.states == [.connecting, .refused(RTMPFailure.wrongCertificate.failure)])
        await second.close()
    }

    /// A server that is unavailable at first, available, killed, and available again.
    @Test func comesAndGoes() async throws {
        let server = try NginxServer()
        server.program.kill()
        _ = server.program.waitUntilExit()
        let sender = try sender(to: "rtmp://127.0.0.1:\(server.port)/live")
        try await eventually("nobody answers", sees: "\(events.all)") {
            events.states.contains(.waiting(RTMPFailure.unreachable.failure))
        }
        try server.restart()
        try await events.connected()
        sendAll(sender)
        server.program.kill()
        _ = server.program.waitUntilExit()
        try await eventually("it is gone", sees: "\(events.all)") {
            events.states.contains(.waiting(RTMPFailure.lost.failure))
                || events.states.contains(.waiting(RTMPFailure.hungUp.failure))
        }
        source.units[0].send(by: sender)
        #expect(sender.statistics.drops["broadcast-not-connected", default: 0] >= 1)
        try server.restart()
        try await events.connected(times: 2)
        sendAll(sender)
        await sender.close()
        #expect(try server.recorded("key-123456", "0:v") == source.pictureDigests)
    }

    /// A server that stalls causes whole groups of pictures to be dropped and counted; the queue stays bounded, and the
    /// stream resumes.
    @Test func stalls() async throws {
        let server = try NginxServer()
        let sender = try sender(to: "rtmp://127.0.0.1:\(server.port)/live", isPatient: false)
        try await events.connected()
        server.program.kill(SIGSTOP)
        var next = ContinuousClock.now
        let large: [UInt8] = [0, 0, 0, 1, 0x41] + [UInt8](repeating: 0x55, count: 100_000)
        source.units[0].send(by: sender)
        try await eventually("pictures are dropped", sees: "\(events.all)") {
            if ContinuousClock.now >= next {
                next += .milliseconds(10)
                sender.send(BroadcastPicture(annexB: large, captured: MonotonicClock.now, isKeyframe: false))
            }
            return sender.statistics.drops["broadcast-stale-picture", default: 0] > 10
                && events.states.last == .stalled
        }
        #expect(events.keyframesWanted >= 2)
        #expect(sender.unsentBytes < 300_000)
        server.program.kill(SIGCONT)
        try await eventually("it goes on", sees: "\(events.all)") {
            if ContinuousClock.now >= next {
                next += .milliseconds(100)
                source.units[0].send(by: sender)
            }
            return events.states.last == .live
        }
        await sender.close()
        #expect(sender.statistics.connections == 1)
        #expect(events.states.last == .ended)
    }

    @Test func unresolved() async throws {
        let sender = try sender(to: "rtmp://nobody.invalid/live")
        try await eventually("the name is unknown", sees: "\(events.all)") {
            events.states.contains(.waiting(RTMPFailure.unresolved.failure))
        }
        await sender.close()
        #expect(events.states.last == .ended)
    }

    /// Closing while the server doesn't respond takes effect at once.
    @Test func closesEarly() async throws {
        let port = try #require(LoopbackPort.find())
        let sender = try sender(to: "rtmp://127.0.0.1:\(port)/live")
        await sender.close()
        #expect(events.states.first == .connecting && events.states.last == .ended)
        source.units[0].send(by: sender)
        #expect(sender.statistics.drops == ["broadcast-ended": 1])
    }
}
