import HelioCore
import HelioMedia
import HelioRTP
import HelioRTSP
import HelioRTSPServer
import HelioSDP
import HelioSession
import HelioSimulation
import Testing

@Suite("A player's session: the stream")
struct PlayStreamTests {
    private let id = PlayWorld.id(1)
    private static let udp = "RTP/AVP;unicast;client_port=5000-5001"
    private static let tcp = "RTP/AVP/TCP;unicast;interleaved=0-1"

    @Test("the stream begins with a keyframe where PLAY said, without our extension", arguments: [udp, tcp])
    func stream(transport: String) throws {
        let world = PlayWorld()
        world.advance(.seconds(100))
        world.connect(id)
        world.ask(.describe, PlayWorld.screen, on: id)
        let setup = try #require(world.ask(.setup, PlayWorld.video, ["Transport": transport], on: id))
        world.encodes = false
        let session = try #require(setup.headers.session?.id)
        let answer = try #require(world.ask(.play, PlayWorld.screen + "/", ["Session": session], on: id))
        // Frames sent to others meanwhile are useless for this player.
        world.frame()
        #expect(world.packets(id).isEmpty)
        world.advance(.milliseconds(20))
        world.frame(keyframe: true)
        for _ in 0..<10 {
            world.advance(.milliseconds(16))
            world.frame()
        }
        world.advance(.milliseconds(100))
        let packets = world.packets(id)
        let first = try #require(packets.first)
        let info = try #require(answer.headers["RTP-Info"])
        #expect(info.hasPrefix("url=\(PlayWorld.video);seq=\(first.sequence);rtptime="))
        let start = try #require(info.split(separator: "=").last.flatMap { UInt32($0) })
        #expect(first.timestamp &- start == 90 * 20, "the keyframe came 20 ms after PLAY")
        #expect(packets.count(where: \.marker) == 11)
        for (index, packet) in packets.enumerated() {
            #expect(packet.length == RTPHeader.fixedSize && packet.payloadType == PayloadType(96))
            #expect(packet.sequence == first.sequence &+ UInt16(index) && packet.ssrc == first.ssrc)
        }
        #expect(setup.headers["Transport"].flatMap(TransportHeader.list)?.first?.ssrc == first.ssrc)
        #expect(world.ports[id] == (transport == Self.udp ? [5000, 5001] : nil))
        #expect(world.host.statistics.sent.frames == 11)
        #expect(world.host.statistics.drops == ["player-awaiting-keyframe": 1])
    }

    @Test("the description tells the parameter sets of the keyframe that it waited for")
    func description() throws {
        let world = PlayWorld()
        world.connect(id)
        world.encodes = false
        #expect(world.ask(.describe, PlayWorld.screen + "?x=1", ["Accept": "application/sdp"], on: id) == nil)
        #expect(world.isWatched, "the encoder has to run for it")
        world.advance(.seconds(2))
        world.frame(keyframe: true)
        let answer = try #require(world.takeResponses(id).first)
        #expect(answer.headers["Content-Base"] == PlayWorld.screen + "/")
        #expect(!world.isWatched)
        let description = try SessionDescription(parsing: answer.body)
        let video = try #require(description.media.first)
        #expect(video.transport == "RTP/AVP" && video.port == 0 && description.media.count == 1)
        #expect(video.attributes.rtpMap(for: PayloadType(96))?.encoding == "H264")
        let parameters = try #require(video.attributes.formatParameters(for: PayloadType(96)))
        #expect(parameters["packetization-mode"] == "1")
        #expect(parameters["profile-level-id"] == "64002a")
        #expect(parameters["sprop-parameter-sets"] == "Z2QAKqw=,aO48gA==")
        #expect(video.attributes.first(ControlURL.self)?.url == "video")
        // The next client need not wait.
        #expect(world.ask(.describe, PlayWorld.screen, on: id)?.status == .ok)
        // Another size means other parameter sets.
        var format = VideoFormat.test
        format.size = PixelSize(width: 640, height: 480)
        world.host.handle(.format(format), now: world.now)
        #expect(world.ask(.describe, PlayWorld.screen, on: id) == nil)
    }

    @Test("H.265 tells its three kinds of parameter sets")
    func h265() throws {
        var format = VideoFormat.test
        format.codec = .h265
        let world = PlayWorld(format: format)
        world.connect(id)
        world.encodes = false
        world.ask(.describe, PlayWorld.screen, on: id)
        let sets: [[UInt8]] = [[0x40, 1, 0x0C, 1], [0x42, 1, 1, 1, 0x60], [0x44, 1, 0xC1], [0x26, 1, 0xAF]]
        let timing = FrameTiming(damaged: world.now, captured: world.now)
        world.host.handle(
            .slice(
                EncodedSlice(
                    frameIndex: 0, annexB: sets.flatMap { [0, 0, 0, 1] + $0 }, isFirst: true, isLast: true,
                    isKeyframe: true, timing: timing)), now: world.now)
        world.advance(.zero)
        world.host.tick(now: world.now)
        world.say("", on: id)
        let answer = try #require(world.takeResponses(id).first)
        let video = try #require(try SessionDescription(parsing: answer.body).media.first)
        #expect(video.attributes.rtpMap(for: PayloadType(96))?.encoding == "H265")
        let parameters = try #require(video.attributes.formatParameters(for: PayloadType(96)))
        #expect(parameters["sprop-vps"] == "QAEMAQ==")
        #expect(parameters["sprop-sps"] == "QgEBAWA=")
        #expect(parameters["sprop-pps"] == "RAHB")
    }

    @Test("without a keyframe DESCRIBE ends after five seconds, and what came behind it is answered in order")
    func describeTimesOut() {
        let world = PlayWorld()
        world.connect(id)
        world.encodes = false
        world.say(
            "DESCRIBE \(PlayWorld.screen) RTSP/1.0\r\nCSeq: 1\r\n\r\nOPTIONS * RTSP/1.0\r\nCSeq: 2\r\n\r\n", on: id)
        world.advance(.milliseconds(4999))
        #expect(world.takeResponses(id).isEmpty)
        world.advance(.milliseconds(1))
        let answers = world.takeResponses(id)
        #expect(answers.map(\.status.code) == [503, 200])
        #expect(answers.map(\.headers.sequence) == [1, 2])
        #expect(!world.isWatched)
    }

    @Test("sender reports tell the calendar's time, and the stream's end is told")
    func reports() throws {
        let world = PlayWorld()
        world.advance(.seconds(7))
        let session = world.play(id, transport: Self.udp)
        world.advance(.seconds(4))
        let ssrc = try #require(world.packets(id).first?.ssrc)
        let reports = world.heard(id).compactMap { packet -> SenderReport? in
            if case .senderReport(let report) = packet { report } else { nil }
        }
        #expect(reports.count == 3, "at once, then every two seconds")
        let first = try #require(reports.first)
        #expect(first.ntpTime >> 32 == 3_976_000_007 && first.rtpTimestamp == 630_000 && first.ssrc == ssrc)
        let last = try #require(reports.last)
        #expect(last.packetCount == UInt32(world.packets(id).count))
        let payload = zip(world.media[id] ?? [], world.packets(id)).reduce(0) { $0 + $1.0.count - $1.1.length }
        #expect(last.octetCount == UInt32(payload))
        #expect(!world.heard(id).contains(.goodbye([ssrc])))
        world.ask(.teardown, PlayWorld.screen, ["Session": session], on: id)
        #expect(world.heard(id).last == .goodbye([ssrc]))
        #expect(world.left == ["left"] && !world.isWatched && world.closed.isEmpty)
    }

    @Test("a silent player ends after a minute; reports, requests and channel data keep it")
    func timeout() throws {
        let world = PlayWorld()
        let other = PlayWorld.id(2)
        let third = PlayWorld.id(3)
        world.play(id, transport: Self.udp)
        let session = world.play(other, transport: Self.udp)
        world.play(third)
        let ssrc = try #require(world.packets(id).first?.ssrc)
        for _ in 0..<10 {
            world.advance(.seconds(50))
            world.report(RTCPPacket.loss(of: ssrc))
            world.ask(.getParameter, PlayWorld.screen, ["Session": session], on: other)
            world.say(RTSPMessage.interleaved(channel: 1, RTCPPacket.loss(of: SSRC(9))).serialised(), on: third)
        }
        #expect(world.closed.isEmpty && world.left.isEmpty)
        world.advance(.milliseconds(59_999))
        #expect(world.closed.isEmpty)
        world.advance(.milliseconds(1))
        #expect(world.closed == [id, other, third])
        #expect(world.left.allSatisfy { $0 == "vanished: silent for 60 s" } && world.left.count == 3)
        #expect(world.heard(id).last == .goodbye([ssrc]))
        #expect(world.host.deadline == nil && !world.isWatched)
    }

    @Test("a reported loss is answered by one keyframe, an old report by none")
    func loss() throws {
        let world = PlayWorld()
        world.play(id, transport: Self.udp)
        let ssrc = try #require(world.packets(id).first?.ssrc)
        world.advance(.seconds(1))
        let before = world.keyframes
        world.report(RTCPPacket.loss(of: ssrc, lost: 3))
        world.report(RTCPPacket.loss(of: ssrc, lost: 4))
        #expect(world.keyframes == before + 1)
        world.advance(.seconds(5))
        world.report(RTCPPacket.loss(of: ssrc, lost: 4))
        #expect(world.keyframes == before + 1)
        world.report(RTCPPacket.loss(of: ssrc, lost: 5))
        #expect(world.keyframes == before + 2)
        var loss: [UInt8] = []
        RTCPPacket.pictureLoss(PictureLossIndication(sender: SSRC(1), media: ssrc)).write(into: &loss)
        world.advance(.seconds(2))
        world.report(loss)
        #expect(world.keyframes == before + 3)
    }

    @Test("a keyframe that does not come is asked for again, though not at every turn")
    func overdueKeyframe() {
        let world = PlayWorld()
        world.connect(id)
        world.encodes = false
        world.ask(.describe, PlayWorld.screen, on: id)
        #expect(world.keyframeRequests == 1)
        world.advance(.milliseconds(499))
        #expect(world.keyframeRequests == 1)
        world.advance(.milliseconds(2001))
        #expect(world.keyframeRequests == 6)
        world.frame(keyframe: true)
        world.advance(.seconds(5))
        #expect(world.keyframeRequests == 6)
    }

    @Test("a resting screen still gives players five pictures a second, and nobody else")
    func still() {
        let world = PlayWorld()
        world.connect(id)
        world.advance(.seconds(3))
        #expect(world.frameRequests == 0)
        world.play(PlayWorld.id(2))
        let before = world.frameRequests
        world.advance(.seconds(2))
        #expect(world.frameRequests - before == 10)
        world.disconnect(PlayWorld.id(2))
        let after = world.frameRequests
        world.advance(.seconds(2))
        #expect(world.frameRequests == after)
    }

    @Test("PAUSE stops the stream, PLAY goes on with a keyframe and the next number")
    func pause() throws {
        let world = PlayWorld()
        let session: RTSPHeaders = ["Session": world.play(id)]
        world.frame()
        #expect(world.ask(.pause, PlayWorld.screen, session, on: id)?.status == .ok)
        #expect(!world.isWatched)
        let before = world.packets(id).count
        world.frame()
        world.frame(keyframe: true)
        #expect(world.packets(id).count == before)
        world.advance(.seconds(1))
        let answer = try #require(world.ask(.play, PlayWorld.screen, session, on: id))
        world.advance(.milliseconds(100))
        let next = try #require(world.packets(id).dropFirst(before).first)
        #expect(answer.headers["RTP-Info"]?.contains(";seq=\(next.sequence);") == true)
        #expect(next.sequence == world.packets(id)[before - 1].sequence &+ 1)
    }

    @Test("another size goes on in the stream; another codec ends the sessions, which then find it described")
    func changedFormat() throws {
        let world = PlayWorld()
        world.play(id)
        var format = VideoFormat.test
        format.size = PixelSize(width: 640, height: 480)
        world.change(format)
        #expect(world.closed.isEmpty)
        format.codec = .h265
        world.change(format)
        #expect(world.closed == [id] && world.left == ["the codec has changed"])
        #expect(world.heard(id).contains { if case .goodbye = $0 { true } else { false } })
        world.encodes = false
        let other = PlayWorld.id(2)
        world.connect(other)
        #expect(world.ask(.describe, PlayWorld.screen, on: other) == nil, "H.264's parameter sets are void")
    }

    @Test("several players have streams of their own; one that leaves does not disturb the others")
    func several() {
        let world = PlayWorld()
        let ids = (1...8).map { PlayWorld.id($0) }
        for id in ids { world.play(id, transport: id.rawValue % 2 == 0 ? Self.udp : Self.tcp) }
        #expect(Set(ids.compactMap { world.packets($0).first?.ssrc }).count == 8)
        world.disconnect(ids[0])
        let before = ids.map { world.packets($0).count(where: \.marker) }
        for _ in 0..<5 {
            world.advance(.milliseconds(20))
            world.frame()
        }
        world.advance(.milliseconds(100))
        let gained = zip(ids, before).map { world.packets($0).count(where: \.marker) - $1 }
        #expect(gained[0] == 0 && gained.dropFirst().allSatisfy { $0 == 5 })
        #expect(world.isWatched && world.host.statistics.addresses.count == 7)
        world.host.stop(now: world.now)
        world.say("", on: ids[1])
        #expect(world.closed.count == 7 && world.left.count == 8)
    }
}
