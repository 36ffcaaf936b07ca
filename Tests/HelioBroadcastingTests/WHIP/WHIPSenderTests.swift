import Foundation
import HelioBitstream
import HelioBroadcast
import HelioBroadcasting
import HelioCore
import HelioGround
import HelioPeerPort
import HelioProtection
import HelioTestLanes
import HelioTestPrograms
import NIOPosix
import Testing

/// Sends to third-party WebRTC stacks: Janus, aiortc, libwebrtc and GStreamer.
@Suite(.serialized, .tags(.quiet))
struct WHIPSenderTests {
    private static let token = "token-123456"

    private let stream: WHIPStream
    private let events = SenderEvents()

    init() throws { stream = try WHIPStream.shared.get() }

    private func sender(
        to address: String, token: String? = Self.token, sound: Bool = true, options: WHIPOptions = WHIPOptions(),
        events: SenderEvents? = nil
    ) async throws -> WHIPSender {
        let events = events ?? self.events
        var options = options
        options.port.includesLoopback = true
        return try await WHIPSender.start(
            to: WHIPAddress(parsing: address),
            token: token.map { try StreamSecret(token: SecretBytes(Array($0.utf8))) },
            BroadcastTracks(video: .h264, sound: sound ? .opus(channels: 2) : nil), options: options,
            on: MultiThreadedEventLoopGroup.singleton.next()
        ) { events.add($0) }
    }

    /// Sends pictures and sound in real time, then some of the first again: a player shows a picture when the next one
    /// arrives.
    ///
    /// - Parameters:
    ///   - interval: the time between two pictures.
    ///   - times: how often the whole stream is sent.
    ///   - isOver: returns true to stop early.
    private func send(
        _ stream: WHIPStream, by sender: WHIPSender, every interval: Duration = .milliseconds(33), times: Int = 1,
        until isOver: () -> Bool = { false }
    ) async throws {
        let begin = MonotonicClock.now
        var sounds = 0
        for number in 0..<stream.pictures.count * times + 5 {
            let due = begin + interval * number
            try await Task.sleep(for: max(.zero, due - MonotonicClock.now))
            if isOver() { return }
            let index = number % stream.pictures.count
            sender.send(
                BroadcastPicture(annexB: stream.pictures[index], captured: due, isKeyframe: index % 30 == 0))
            while begin + .milliseconds(20) * sounds <= due {
                let heard = begin + .milliseconds(20) * sounds
                sender.send(
                    EncodedSound(
                        encode: .thinOpus, payload: stream.sounds[sounds % stream.sounds.count],
                        mediaTime: Int64(sounds) * 960, frames: 960, captured: heard))
                sounds += 1
            }
        }
    }

    /// Each picture and each packet of sound arrives unchanged; the session is deleted at the server.
    @Test func janus() async throws {
        let server = try JanusServer(["--token", Self.token])
        try server.start()
        let video = try server.receiver()
        let sound = try server.receiver(sound: true)
        let whip = try #require(server.whip)
        let sender = try await sender(to: whip.address)
        try await events.connected()
        // The server requests a keyframe by RTCP; the broadcast requests one by itself at the start.
        try await send(stream, by: sender)
        let digests = stream.digests
        try await eventually("all pictures are there", sees: String(video.text.suffix(300))) {
            FrameDigests.parse(video.text).count >= digests.count
        }
        try await eventually("statistics", sees: "\(sender.statistics) \(sender.linkStatistics)") {
            // The last pictures are more than those checked, and may still be in transit.
            sender.statistics.roundTrip != nil && sender.linkStatistics.packets > 0 && sender.statistics.pictures >= 125
        }
        let (statistics, link) = (sender.statistics, sender.linkStatistics)
        await sender.close()
        try whip.log.wait(for: "delete 1")
        #expect(Array(FrameDigests.parse(video.text).prefix(120)) == digests)
        let heard = FrameDigests.parse(sound.text)
        #expect(heard.count > 150)
        #expect(Set(heard).isSubset(of: Set(stream.soundDigests)))
        #expect(events.states == [.connecting, .live, .ended])
        #expect(events.keyframesWanted >= 1)
        #expect(statistics.pictures == 125 && statistics.keyframes == 5)
        #expect(statistics.connections == 1 && statistics.drops.isEmpty)
        #expect(statistics.roundTrip.map { $0 > .zero && $0 < .seconds(1) } == true)
        #expect(statistics.sentBytes > statistics.mediaBytes)
        #expect(link.hasSound && link.profile?.count == 6)
        #expect((link.estimate?.bitsPerSecond ?? 0) > 0 && link.path?.hasPrefix("host") == true)
        #expect(link.droppedPictures == 0)
        for text in ["\(events.all)", "\(statistics)", "\(link)"] { #expect(!text.contains(Self.token)) }
    }

    /// The size and bitrate of a broadcast on a path of unknown capacity: nothing is dropped.
    @Test func fullRate() async throws {
        let large = try WHIPStream.large.get()
        let server = try JanusServer()
        try server.start()
        let video = try server.receiver()
        let sender = try await sender(to: "whip://127.0.0.1:\(server.port)/whip/endpoint")
        try await events.connected()
        try await send(large, by: sender)
        try await eventually("all pictures are there", sees: "\(sender.statistics) \(sender.linkStatistics)") {
            FrameDigests.parse(video.text).count >= large.digests.count
        }
        #expect(Array(FrameDigests.parse(video.text).prefix(120)) == large.digests)
        let (statistics, link) = (sender.statistics, sender.linkStatistics)
        #expect(statistics.drops.isEmpty && link.droppedPictures == 0)
        #expect(statistics.mediaBytes > 1_000_000)
        #expect((link.estimate?.bitsPerSecond ?? 0) > 3_000_000)
        await sender.close()
    }

    /// Stacks other than Janus: each decodes the stream, and requests a keyframe by itself.
    @Test(arguments: ["aiortc", "gstreamer", "libwebrtc"])
    func stacks(stack: String) async throws {
        let server = try WHIPServerProgram(stack, ["--profile", "42e01f"])
        let sender = try await sender(to: server.address, token: nil)
        try await events.connected()
        try await send(stream, by: sender, times: 3) { Self.frames(server).last.map { $0.count >= 60 } ?? false }
        await sender.close()
        try server.log.wait(for: "delete 1")
        let seen = Self.frames(server)
        #expect(seen.last.map { $0.count >= 60 } == true, "\(server.log.text.suffix(1000))")
        for frame in seen {
            #expect(frame.size == WHIPStream.size)
            #expect((stream.luma.lowerBound - 2...stream.luma.upperBound + 2).contains(frame.luma))
        }
        #expect(events.states == [.connecting, .live, .ended])
    }

    private struct SeenFrames: Decodable {
        let type: String
        let count: Int
        let width: Int
        let height: Int
        let luma: Double
        var size: PixelSize { PixelSize(width: width, height: height) }
    }

    private static func frames(_ server: WHIPServerProgram) -> [SeenFrames] {
        server.log.text.split(separator: "\n").filter { $0.hasPrefix("peer {") }.compactMap {
            try? JSONDecoder().decode(SeenFrames.self, from: Data($0.dropFirst(5).utf8))
        }
    }

    /// A wrong token, or none, is reported as such, and ends the broadcast without a retry.
    @Test(arguments: ["token-wrong", nil])
    func wrongToken(token: String?) async throws {
        let server = try WHIPServerProgram("aiortc", ["--token", Self.token])
        let sender = try await sender(to: server.address, token: token)
        let failure = try await events.end()?.failure
        #expect(failure?.kind == .unauthorized)
        #expect(events.states == [.connecting, .refused(try #require(failure))])
        sender.send(BroadcastPicture(annexB: stream.pictures[0], captured: MonotonicClock.now, isKeyframe: true))
        #expect(sender.statistics.drops == ["broadcast-ended": 1])
        await sender.close()
        #expect(!"\(events.all)".contains("token-wrong"))
        // The server logs this after its answer, which may arrive first.
        try server.log.wait(for: "offer")
        #expect(server.log.text.ranges(of: "offer").count == 1)
    }

    @Test func redirectedAndNotFound() async throws {
        let server = try WHIPServerProgram("aiortc", ["--token", Self.token])
        let sender = try await sender(to: "http://\(server.endpoint)/elsewhere", sound: false)
        try await events.connected()
        await sender.close()
        try server.log.wait(for: "delete 1")
        for (path, kind) in [("/round", BroadcastFailure.Kind.incompatible), ("/nowhere", .notFound)] {
            let others = SenderEvents()
            let second = try await self.sender(to: "whip://\(server.endpoint)\(path)", events: others)
            #expect(try await others.end()?.failure?.kind == kind)
            await second.close()
        }
    }

    /// A busy server's `Retry-After` is followed.
    @Test func busy() async throws {
        let server = try WHIPServerProgram("aiortc", ["--busy", "2"])
        let sender = try await sender(to: server.address, token: nil)
        try await events.connected()
        #expect(events.breaks == [.busy, .busy])
        await sender.close()
        #expect(server.log.text.ranges(of: "offer 503").count == 2)
    }

    /// With an untrusted certificate, or another one than the pinned, nothing is sent.
    @Test func secure() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("heliograph-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.path + "/server.pem"
        try Tool.run([
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
            "2", "-subj", "/CN=whip.example", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", file, "-out",
            file + ".certificate",
        ])
        try Tool.run(["sh", "-c", "cat \"$0.certificate\" >>\"$0\"", file])
        let said = try Tool.run(["openssl", "x509", "-noout", "-fingerprint", "-sha256", "-in", file + ".certificate"])
        let fingerprint = String(decoding: said, as: UTF8.self).split(separator: "=")[1].filter { !$0.isWhitespace }
        let server = try WHIPServerProgram("aiortc", ["--token", Self.token, "--certificate", file])

        for (pin, word) in [("", "vouches"), ("#sha256=" + String(repeating: "AB", count: 32), "another certificate")] {
            let others = SenderEvents()
            let refused = try await sender(to: "whips://\(server.endpoint)/whip/endpoint\(pin)", events: others)
            let failure = try await others.end()?.failure
            #expect(failure?.kind == .untrusted && failure?.message.contains(word) == true)
            await refused.close()
        }
        #expect(!server.log.text.contains("offer"))
        let sender = try await sender(to: "whips://\(server.endpoint)/whip/endpoint#sha256=\(fingerprint)")
        try await events.connected()
        await sender.close()
        try server.log.wait(for: "delete 1")

        // A server without TLS is not accepted as one with TLS, nor the other way round.
        let plain = try WHIPServerProgram("aiortc")
        let others = SenderEvents()
        let third = try await self.sender(to: "whips://\(plain.endpoint)/whip/endpoint", events: others)
        #expect(try await others.end()?.failure?.kind == .incompatible)
        await third.close()
    }

    /// A server that is unavailable at first, available, killed, and available again.
    @Test func comesAndGoes() async throws {
        let server = try JanusServer()
        var options = WHIPOptions()
        options.silence = .milliseconds(5500)
        let sender = try await sender(to: "whip://127.0.0.1:\(server.port)/whip/endpoint", options: options)
        try await eventually("nobody answers", sees: "\(events.all)") { events.breaks.first == .unreachable }
        try server.start()
        try await events.connected()
        try await send(stream, by: sender, every: .milliseconds(10)) { false }
        server.kill()
        try await eventually("it is gone", sees: "\(events.all)") { events.breaks.last == .lost }
        try server.start()
        let video = try server.receiver()
        try await events.connected(times: 2)
        try await send(stream, by: sender)
        try await eventually("all pictures are there", sees: String(video.text.suffix(300))) {
            FrameDigests.parse(video.text).count >= stream.digests.count
        }
        await sender.close()
        #expect(sender.statistics.connections == 2)
        #expect(Array(FrameDigests.parse(video.text).prefix(120)) == stream.digests)
        #expect(events.states.last == .ended)
    }

    /// A session that the server ends is noticed at once, and a new one follows.
    @Test func endedByServer() async throws {
        let server = try WHIPServerProgram("aiortc", ["--session-time", "1"])
        let sender = try await sender(to: server.address, token: nil)
        try await events.connected(times: 2)
        #expect(events.breaks == [.lost])
        await sender.close()
    }

    /// Closing while the server doesn't respond takes effect at once; with unsupported sound, the broadcast doesn't
    /// start.
    @Test func closesEarly() async throws {
        let port = try #require(LoopbackPort.find())
        let sender = try await sender(to: "whip://127.0.0.1:\(port)/whip")
        await sender.close()
        #expect(events.states.first == .connecting && events.states.last == .ended)
        let unknown = SenderEvents()
        let second = try await self.sender(to: "whip://nobody.invalid/whip", events: unknown)
        try await eventually("the name is unknown", sees: "\(unknown.all)") { unknown.breaks.first == .unresolved }
        await second.close()
        let error = await #expect(throws: HelioError.self) {
            _ = try await WHIPSender.start(
                to: WHIPAddress(parsing: "whip://h/x"), BroadcastTracks(video: .h264, sound: .aac(.init(.standard))),
                on: MultiThreadedEventLoopGroup.singleton.next()
            ) { _ in }
        }
        #expect(error?.code == .unsupported)
    }
}
