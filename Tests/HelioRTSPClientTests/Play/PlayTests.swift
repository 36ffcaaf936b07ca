import HelioCore
import HelioMedia
import HelioRTP
import HelioRTSP
import HelioRTSPClient
import HelioSimulation
import Testing

@Suite("A foreign RTSP server, played")
struct PlayTests {
    @Test("the whole order over UDP, reports, keep-alive, and a good end")
    func order() throws {
        let world = try PlayWorld()
        world.connect()
        #expect(world.server.methodsSeen == ["OPTIONS", "DESCRIBE", "SETUP", "PLAY"])
        let uris = world.server.requests.map(\.uri)
        let uri = ScriptedServer.uri
        #expect(uris == [uri, uri, "\(uri)/track1", "\(uri)/"])
        #expect(world.server.requests[2].headers["Transport"] == "RTP/AVP;unicast;client_port=5000-5001")
        #expect(world.server.requests[3].headers["Session"] == "abc")
        #expect(world.punches == 1 && world.reports.count == 2, "the firewall is opened before anything comes")
        #expect(world.playing.isEmpty, "nothing has come yet")

        world.run(.seconds(31))
        #expect(world.playing.count == 1 && world.playing[0].format.codec == .h264 && !world.playing[0].isInterleaved)
        #expect(world.indices == (0..<775).map { $0 } || world.indices == (0..<776).map { $0 })
        #expect(world.frames.map(\.frameIndex) == world.frames.indices.map { UInt64($0) })
        // A session with a time-out of 20 s is kept alive every 10 s.
        #expect(world.server.methodsSeen.dropFirst(4) == ["GET_PARAMETER", "GET_PARAMETER", "GET_PARAMETER"])
        let blocks = world.reports.compactMap { packet in
            if case .receiverReport(let report) = packet { report.reports.first } else { nil }
        }
        #expect(blocks.count == 6)
        #expect(blocks.allSatisfy { $0.ssrc == SSRC(7) && $0.fractionLost == 0 && $0.highestSequence < 0x1_0000 })

        world.leave()
        #expect(world.server.methodsSeen.last == "TEARDOWN")
        #expect(world.server.requests.last?.headers["Session"] == "abc")
        #expect(!world.isConnected && world.ended == nil)
        #expect(world.reports.last == .goodbye([try #require(world.reports.compactMap(Self.sender).first)]))
    }

    private static func sender(_ packet: RTCPPacket) -> SSRC? {
        if case .receiverReport(let report) = packet { report.ssrc } else { nil }
    }

    @Test("OPTIONS keeps alive where the server knows no GET_PARAMETER; a session without a timeout lasts 60 s")
    func keepAlive() throws {
        let world = try PlayWorld()
        world.server.methods = "DESCRIBE,SETUP , PLAY"
        world.server.session = "abc"
        world.connect()
        world.run(.seconds(61))
        #expect(world.server.methodsSeen.dropFirst(4) == ["OPTIONS", "OPTIONS"])
    }

    @Test(
        "sessions are named as the server likes",
        arguments: [
            ("aGVsbG8=/+", "aGVsbG8=/+", 30.0), (" 1 ; timeout=8", "1", 4), ("x;timeout=never", "x", 30),
            ("x;TIMEOUT=0", "x", 1), ("x;timeout=-5", "x", 1), ("x;timeout=9223372036854775807", "x", 43_200),
        ])
    func sessions(header: String, id: String, interval: Double) throws {
        let world = try PlayWorld()
        world.server.session = header
        world.connect()
        #expect(world.server.requests.last?.headers["Session"] == id)
        world.run(.seconds(min(interval, 60)) - .milliseconds(10))
        #expect(world.server.requests.count == 4)
        world.run(.milliseconds(20))
        #expect(world.server.requests.count == (interval > 60 ? 4 : 5))
    }

    @Test("UDP that is refused is followed by TCP on the same connection")
    func refusedUDP() throws {
        let world = try PlayWorld()
        world.server.allowsUDP = false
        world.connect()
        world.run(.seconds(12))
        #expect(world.connections == 1)
        #expect(
            world.server.methodsSeen == ["OPTIONS", "DESCRIBE", "SETUP", "SETUP", "PLAY", "GET_PARAMETER"])
        #expect(world.server.requests[3].headers["Transport"] == "RTP/AVP/TCP;unicast;interleaved=0-1")
        #expect(world.playing.count == 1 && world.playing[0].isInterleaved)
        #expect(world.frames.count >= 300 && !world.indices.contains(nil))
        #expect(world.reports.count == 4, "reports go over TCP, too")
    }

    @Test("UDP that brings nothing for 3 s is followed by TCP on a new connection")
    func silentUDP() throws {
        let world = try PlayWorld()
        world.server.deliversUDP = false
        world.connect()
        world.run(.milliseconds(2999))
        #expect(world.connections == 1 && world.playing.isEmpty)
        world.run(.seconds(2))
        #expect(world.connections == 2)
        #expect(
            world.server.methodsSeen == [
                "OPTIONS", "DESCRIBE", "SETUP", "PLAY", "TEARDOWN", "OPTIONS", "DESCRIBE", "SETUP", "PLAY",
            ])
        #expect(world.server.requests[7].headers["Session"] == nil, "the old session is over")
        #expect(world.playing.count == 1 && world.playing[0].isInterleaved)
        // The keyframe at 3.00 s was still sent by UDP: the next one is a second later.
        #expect(world.indices.first == 100)
    }

    @Test("datagrams that are too long are followed by TCP, where they are not")
    func longDatagrams() throws {
        let world = try PlayWorld()
        world.connect()
        world.run(.seconds(1))
        world.feed(.truncatedDatagram)
        world.run(.seconds(2))
        #expect(world.connections == 2 && world.playing.map(\.isInterleaved) == [false, true])
        #expect(world.frames.last.map { $0.frameIndex } == UInt64(world.frames.count - 27))
        #expect(world.engine.statistics.drops["media-truncated"] == 1)
    }

    @Test("a server that does not answer GET_PARAMETER is asked by OPTIONS instead")
    func silentKeepAlive() throws {
        let world = try PlayWorld()
        world.server.override = { request in
            request.method == .getParameter ? RTSPResponse(.ok, headers: ["CSeq": "0"]) : nil
        }
        world.connect()
        world.run(.seconds(41))
        #expect(world.server.methodsSeen.dropFirst(4) == ["GET_PARAMETER", "OPTIONS", "GET_PARAMETER", "OPTIONS"])
        #expect(world.ended == nil)
    }

    @Test("a machine without UDP ports plays over TCP")
    func noPorts() throws {
        let world = try PlayWorld()
        world.hasPorts = false
        world.connect()
        world.run(.seconds(1))
        #expect(world.server.methodsSeen == ["OPTIONS", "DESCRIBE", "SETUP", "PLAY"])
        #expect(world.playing.first?.isInterleaved == true)
    }

    @Test("a server that sends neither way is said, with what to look at")
    func neitherWay() throws {
        let world = try PlayWorld()
        world.server.allowsUDP = false
        world.server.allowsTCP = false
        world.connect()
        #expect(world.ended?.code == .unsupported)
        #expect(world.ended?.message.contains("neither over UDP nor over TCP") == true)
        #expect(!world.isConnected)
    }

    @Test("a server that falls silent is given 5 s")
    func silence() throws {
        let world = try PlayWorld()
        world.connect()
        world.run(.seconds(3))
        world.sendsFrames = false
        world.run(.milliseconds(4900))
        #expect(world.ended == nil)
        world.run(.milliseconds(200))
        #expect(world.ended?.code == .unreachable)
        #expect(world.ended?.message.contains("nothing for 5 s") == true)
        #expect(world.server.methodsSeen.last == "TEARDOWN")
    }

    @Test("a server that answers and sends nothing, neither way, is said to have no source")
    func noSource() throws {
        let world = try PlayWorld()
        world.sendsFrames = false
        world.connect()
        world.run(.seconds(9))
        #expect(world.connections == 2)
        #expect(world.ended?.message.contains("sends no video") == true)
    }

    @Test("sender reports alone keep a resting stream alive, and are answered")
    func resting() throws {
        let world = try PlayWorld()
        world.connect()
        world.run(.seconds(1))
        world.sendsFrames = false
        var report: [UInt8] = []
        RTCPPacket.senderReport(
            SenderReport(
                ssrc: SSRC(7), ntpTime: 0x1234_5678_9ABC_DEF0, rtpTimestamp: 0, packetCount: 1, octetCount: 1)
        ).write(into: &report)
        for _ in 0..<10 {
            world.run(.seconds(3))
            world.deliver(report, .rtcp)
        }
        #expect(world.ended == nil)
        guard case .receiverReport(let last) = world.reports.dropLast().last else {
            Issue.record("no report")
            return
        }
        #expect(last.reports.first?.lastSenderReport == 0x5678_9ABC)
        #expect((0...131_072 * 2).contains(last.reports.first?.delaySinceLastSenderReport ?? 0))
    }

    @Test("a good-bye ends the stream unless another takes its place")
    func goodbye() throws {
        var bytes: [UInt8] = []
        RTCPPacket.receiverReport(ReceiverReport(ssrc: SSRC(7))).write(into: &bytes)
        RTCPPacket.goodbye([SSRC(7)]).write(into: &bytes)

        let world = try PlayWorld()
        world.connect()
        world.run(.seconds(2))
        world.deliver(bytes, .rtcp)
        world.packetizer = RTPPacketizer.plain(ssrc: 8, firstSequence: 9000)
        let before = world.frames.count
        world.run(.seconds(2))
        #expect(world.ended == nil && world.frames.count > before + 20)

        world.sendsFrames = false
        bytes = []
        RTCPPacket.receiverReport(ReceiverReport(ssrc: SSRC(8))).write(into: &bytes)
        RTCPPacket.goodbye([SSRC(8)]).write(into: &bytes)
        world.deliver(bytes, .rtcp)
        world.run(.seconds(2))
        #expect(world.ended?.code == .ended)
    }

    @Test("parameter sets of the description stand before each keyframe that comes without")
    func describedParameterSets() throws {
        let world = try PlayWorld()
        world.sendsParameterSets = false
        world.connect()
        world.run(.seconds(3))
        let sets: [UInt8] = [0, 0, 0, 1, 0x67, 0x64, 0, 0x2A, 0xAC, 0, 0, 0, 1, 0x68, 0xEE, 0x3C, 0x80]
        #expect(world.frames.count >= 75 && !world.indices.contains(nil))
        #expect(world.frames.allSatisfy { $0.annexB.starts(with: sets) == $0.isKeyframe })
        #expect(world.frames.filter(\.isKeyframe).count == 4)
    }

    @Test("parameter sets that come in the stream are not said twice, and replace the description's")
    func ownParameterSets() throws {
        let world = try PlayWorld()
        world.server.description = ScriptedServer.h264.replacing("Z2QAKqw=", with: "Z0IAKqw=")
        world.connect()
        world.run(.seconds(2))
        let key = try #require(world.frames.first)
        #expect(key.annexB.starts(with: [0, 0, 0, 1, 0x67, 0x64]))
        #expect(
            key.annexB[9...].starts(with: [0, 0, 0, 1, 0x68]) && key.annexB[17...].starts(with: [0, 0, 0, 1, 0x65]))
        world.sendsParameterSets = false
        world.run(.seconds(2))
        let later = try #require(world.frames.last { $0.isKeyframe })
        #expect(later.annexB.starts(with: [0, 0, 0, 1, 0x67, 0x64]), "the stream's own are the newer ones")
    }

    @Test("a lost packet costs the frames up to the next keyframe, and none that is damaged is given out")
    func loss() throws {
        let world = try PlayWorld()
        world.connect()
        var count = 0
        world.network = { packets in
            count += 1
            // Loses the last packet of the 35th frame, which the packets before it can't reveal.
            return count == 35 ? packets.dropLast() : packets
        }
        world.run(.seconds(4))
        #expect(!world.indices.contains(nil))
        let seen = world.indices.compactMap { $0 }
        #expect(seen.prefix(34) == (0..<34).map { UInt64($0) }[...])
        #expect(seen.dropFirst(34).first == 50 && seen.dropFirst(34).elementsEqual(50..<(50 + UInt64(seen.count - 34))))
        #expect(world.engine.statistics.video.packetsLost == 1)
        #expect(world.ended == nil)
    }

    @Test("a keyframe without its first slice is none, though its second begins like one")
    func lostFirstSlice() throws {
        let world = try PlayWorld()
        world.sendsParameterSets = false
        world.connect()
        var count = 0
        world.network = { packets in
            count += 1
            return count == 26 ? Array(packets.dropFirst()) : packets
        }
        world.run(.seconds(3))
        #expect(!world.indices.contains(nil))
        let seen = world.indices.compactMap { $0 }
        #expect(seen.prefix(25).elementsEqual(0..<25) && seen.dropFirst(25).first == 50)
    }

    @Test("packets that are swapped or come twice cost nothing")
    func reordering() throws {
        let world = try PlayWorld()
        world.connect()
        var generator = SeededGenerator(seed: 5)
        world.network = { packets in
            var packets = packets
            if packets.count > 2 {
                // The first packet stays first: at the start nothing shows that an earlier one exists.
                let place = Int.random(in: 1..<packets.count - 1, using: &generator)
                packets.swapAt(place, place + 1)
                packets.append(packets[0])
            }
            return packets
        }
        world.run(.seconds(4))
        let seen = world.indices.compactMap { $0 }
        #expect(seen.count == world.frames.count && seen.count >= 100)
        #expect(seen.elementsEqual(0..<UInt64(seen.count)))
        #expect(world.engine.statistics.video.packetsReordered > 0)
        #expect(world.engine.statistics.drops["jitter-duplicate", default: 0] > 0)
    }

    @Test("sequence numbers and timestamps wrap", arguments: [UInt16.max, UInt16.max - 1, UInt16.max - 40, 0])
    func wrapping(first: UInt16) throws {
        let world = try PlayWorld(firstSequence: first)
        world.timestamp = UInt32.max - 3600 * 10
        world.connect()
        world.run(.seconds(4))
        let seen = world.indices.compactMap { $0 }
        #expect(seen.count >= 100 && seen.elementsEqual(0..<UInt64(seen.count)))
        let times = world.frames.map(\.mediaTime)
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 == 3600 })
        #expect(world.engine.statistics.video.packetsLost == 0)
    }

    @Test("a stream that begins again, with other numbers or another name, goes on", arguments: [UInt32(7), 99])
    func restart(ssrc: UInt32) throws {
        let world = try PlayWorld()
        world.connect()
        world.run(.seconds(2))
        let before = world.frames.count
        world.packetizer = RTPPacketizer.plain(ssrc: ssrc, firstSequence: 40_000)
        world.timestamp = 12_345
        world.run(.seconds(3))
        #expect(world.frames.count >= before + 50 && !world.indices.contains(nil))
        #expect(world.frames.map(\.frameIndex) == world.frames.indices.map { UInt64($0) })
        #expect(world.playing.count == 1)
    }

    @Test("H.265 is played, with parameter sets of three kinds")
    func h265() throws {
        let world = try PlayWorld()
        world.server.description = ScriptedServer.h264
            .replacing("H264/90000", with: "h265/90000")
            .replacing(
                "packetization-mode=1;sprop-parameter-sets=Z2QAKqw=,aO48gA==",
                with: "sprop-vps=QAEM; sprop-sps=QgEB; sprop-pps=RAHB")
        world.sendsFrames = false
        world.connect()
        // An IDR picture with `first_slice_segment_in_pic_flag`, and a trailing picture.
        for (sequence, nal) in [[0x26, 1, 0x80, 5, 6], [0x02, 1, 0x80, 7]].enumerated() {
            var packet: [UInt8] = []
            RTPHeader(
                marker: true, payloadType: PayloadType(97), sequence: UInt16(sequence),
                timestamp: UInt32(sequence) * 3600, ssrc: SSRC(1)
            ).write(into: &packet, hasExtension: false)
            world.deliver(packet + nal.map { UInt8($0) })
        }
        #expect(world.playing.first?.format.codec == .h265)
        #expect(
            world.frames.map(\.annexB) == [
                [
                    0, 0, 0, 1, 0x40, 1, 0x0C, 0, 0, 0, 1, 0x42, 1, 1, 0, 0, 0, 1, 0x44, 1, 0xC1, 0, 0, 0, 1, 0x26, 1,
                    0x80, 5, 6,
                ], [0, 0, 0, 1, 0x02, 1, 0x80, 7],
            ])
    }

    @Test(
        "control URLs, absolute and relative, and what they refer to",
        arguments: [
            ("track1", "rtsp://h/base/", "rtsp://h/base/track1"), ("track1", "rtsp://h/base", "rtsp://h/base/track1"),
            ("/track1", "rtsp://h/base", "rtsp://h/base/track1"),
            ("rtsp://h/other/video", "rtsp://h/base/", "rtsp://h/other/video"), ("*", "rtsp://h/base", "rtsp://h/base"),
            ("track1", nil, "\(ScriptedServer.uri)/track1"), ("track1", "junk", "\(ScriptedServer.uri)/track1"),
        ])
    func control(url: String, base: String?, expected: String) throws {
        let world = try PlayWorld()
        world.server.contentBase = base
        world.server.description = ScriptedServer.h264.replacing("a=control:track1", with: "a=control:\(url)")
        world.connect()
        #expect(world.server.requests.first { $0.method == .setup }?.uri == expected)
    }
}
