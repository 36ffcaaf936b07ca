import HelioCore
import HelioMedia
import HelioRTP
import HelioRTSP
import HelioRTSPClient
import HelioRTSPServer
import HelioSDP
import HelioSimulation
import Testing

@Suite("Publishing to another program's server: ANNOUNCE and RECORD")
struct RecordTests {
    /// A server that supports publishing and keep-alive.
    private static func server() -> ScriptedServer {
        let server = ScriptedServer()
        server.methods = "OPTIONS, ANNOUNCE, SETUP, RECORD, TEARDOWN, GET_PARAMETER"
        return server
    }

    @Test(
        "every frame arrives whole and in order at our own endpoint, over UDP and TCP, H.264 and H.265",
        arguments: [true, false], [VideoCodec.h264, .h265])
    func frames(isInterleaved: Bool, codec: VideoCodec) throws {
        var format = VideoFormat.test
        format.codec = codec
        let world = try RecordWorld(
            .host(RecordWorld.host()), format: format, isInterleavedOnly: isInterleaved)
        world.run(.seconds(10))
        let way = isInterleaved ? "tcp" : "udp"
        #expect(world.events == ["published, \(way)"])
        #expect(world.shown == ["\(codec.rawValue), \(way)"])
        #expect(world.frames.count >= 245 && world.frames[0].isKeyframe)
        let first = try #require(world.indices.first.flatMap { $0 })
        #expect(world.indices == (0..<UInt64(world.frames.count)).map { first + $0 })
        #expect(world.engine.statistics.sent.frames == world.frames.count && world.engine.statistics.isPublished)
        world.leave()
        #expect(world.shown.last == "left: has left" && !world.isConnected && !world.isWatched)
        #expect(world.engine.deadline == nil)
    }

    @Test("the whole order over UDP, what is announced, sender reports, keep-alive, and a good end")
    func order() throws {
        let server = Self.server()
        let world = try RecordWorld(.server(server))
        world.run(.seconds(21))
        #expect(server.methodsSeen.prefix(4) == ["OPTIONS", "ANNOUNCE", "SETUP", "RECORD"])
        let uri = RecordWorld.uri
        #expect(server.requests.prefix(4).map(\.uri) == [uri, uri, uri + "/video", uri])
        #expect(server.requests[1].headers["Content-Type"] == "application/sdp")
        #expect(server.requests[2].headers["Transport"] == "RTP/AVP;unicast;client_port=5000-5001;mode=record")
        #expect(server.requests[3].headers["Session"] == "abc")
        // A session with a time-out of 20 s is kept alive every 10 s.
        #expect(server.methodsSeen.dropFirst(4) == ["GET_PARAMETER", "GET_PARAMETER"])

        let video = try #require(try SessionDescription(parsing: server.requests[1].body).media.first)
        #expect(video.transport == "RTP/AVP" && video.attributes.first(ControlURL.self)?.url == "video")
        let parameters = try #require(video.attributes.formatParameters(for: PayloadType(96)))
        #expect(parameters["sprop-parameter-sets"] == "Z2QAKqw=,aO48gA==")
        #expect(video.attributes.values(of: RTCPFeedback.self).contains(RTCPFeedback(PayloadType(96), "nack", "pli")))

        let reports = world.senderReports
        #expect(reports.count == 11 && reports[0].ntpTime >> 32 == 3_976_000_000)
        let ssrc = reports[0].ssrc
        let packets = world.media.compactMap { RTPHeader.parse($0.span.bytes) }
        #expect(packets.count == world.media.count && packets.allSatisfy { $0.ssrc == ssrc })
        #expect(reports.last.map { Int($0.packetCount) <= packets.count } == true)
        world.leave()
        #expect(server.methodsSeen.last == "TEARDOWN" && server.requests.last?.headers["Session"] == "abc")
        #expect(world.reports.last == .goodbye([ssrc]))
        #expect(world.events == ["published, udp"])
    }

    @Test("nothing is coded before the server is there; then the first keyframe is waited for")
    func waitsForKeyframe() throws {
        let server = Self.server()
        let world = try RecordWorld(.server(server))
        world.isListening = false
        world.run(.seconds(2))
        #expect(!world.isWatched && world.keyframes == 0)
        world.encodes = false
        world.isListening = true
        world.run(.seconds(30))
        #expect(world.isWatched && server.methodsSeen == ["OPTIONS"], "it waits for the encoder, however long")
        world.encode(keyframe: true)
        #expect(server.methodsSeen == ["OPTIONS", "ANNOUNCE", "SETUP", "RECORD"])
    }

    @Test("UDP that is refused, or that this machine does not have, is followed by TCP", arguments: [true, false])
    func refusedUDP(isRefused: Bool) throws {
        let server = Self.server()
        server.allowsUDP = !isRefused
        let world = try RecordWorld(.server(server))
        world.hasPorts = isRefused
        world.run(.seconds(2))
        #expect(
            server.methodsSeen == ["OPTIONS", "ANNOUNCE", "SETUP"] + (isRefused ? ["SETUP", "RECORD"] : ["RECORD"]))
        #expect(
            server.requests.last { $0.method == .setup }?.headers["Transport"]
                == "RTP/AVP/TCP;unicast;interleaved=0-1;mode=record")
        #expect(world.events == ["published, tcp"] && world.connections == 1 && world.media.count > 50)
    }

    @Test("keyframes: one every 4 seconds for who comes, and at once on PLI, FIR and loss")
    func keyframes() throws {
        let world = try RecordWorld(.server(Self.server()))
        world.run(.milliseconds(3900))
        let start = world.keyframes
        world.run(.seconds(12))
        #expect(world.keyframes - start == 3)
        let ssrc = try #require(world.senderReports.first?.ssrc)
        let demands: [RTCPPacket] = [
            .pictureLoss(PictureLossIndication(sender: SSRC(1), media: ssrc)),
            .fullIntraRequest(FullIntraRequest(sender: SSRC(1), entries: [.init(ssrc: ssrc, sequence: 1)])),
        ]
        for demand in demands {
            world.run(.milliseconds(1500))
            let before = world.keyframes
            var bytes: [UInt8] = []
            RTCPPacket.receiverReport(ReceiverReport(ssrc: SSRC(1))).write(into: &bytes)
            demand.write(into: &bytes)
            world.feed(.datagram(bytes, .rtcp))
            world.run(.milliseconds(100))
            #expect(world.keyframes == before + 1)
        }
        world.run(.milliseconds(1500))
        let before = world.keyframes
        world.feed(.datagram(RTCPPacket.loss(of: ssrc, lost: 3), .rtcp))
        world.run(.milliseconds(100))
        #expect(world.keyframes == before + 1)
    }

    @Test("a resting screen still gives five pictures a second")
    func still() throws {
        let world = try RecordWorld(.server(Self.server()))
        world.run(.seconds(1))
        world.encodes = false
        let before = world.frameRequests
        world.run(.seconds(2))
        #expect((9...10).contains(world.frameRequests - before))
    }

    @Test("a connection that takes nothing loses whole frames up to a keyframe, and is given up after 20 s")
    func stuck() throws {
        let world = try RecordWorld(.server(Self.server()), isInterleavedOnly: true)
        world.encoder.sliceBytes = 40_000
        world.run(.seconds(2))
        let before = world.media.count
        world.isStuck = true
        world.run(.seconds(4))
        #expect(world.unsent < 3 << 20, "a frame more than a megabyte at most")
        #expect(world.engine.statistics.drops["publication-slow-connection", default: 0] > 50)
        #expect(world.media.count == before)
        world.encodes = false
        world.run(.seconds(17))
        #expect(world.events.contains("lost: The server takes nothing any more."))
    }

    @Test("a connection that was slow goes on with a keyframe")
    func slow() throws {
        let server = Self.server()
        let world = try RecordWorld(.server(server), isInterleavedOnly: true)
        world.encoder.sliceBytes = 40_000
        world.run(.seconds(2))
        world.isStuck = true
        world.run(.seconds(5))
        let before = world.media.count
        let keyframes = world.keyframes
        world.unstick()
        world.run(.seconds(1))
        #expect(world.media.count > before && world.keyframes > keyframes)
        // The first packet after the stall, whose own data this simulation loses, is of a keyframe: an FU-A of an IDR,
        // or its parameter sets.
        let first = try #require(world.media.dropFirst(before).first)
        #expect([0x67, 0x68, 0x78, 0x7C].contains(first[12]), "\(first[12])")
        #expect(world.events == ["published, tcp"])
    }

    @Test("another size goes on; another codec is announced anew")
    func changes() throws {
        let server = Self.server()
        let world = try RecordWorld(.server(server))
        world.run(.seconds(1))
        var format = VideoFormat.test
        format.size = PixelSize(width: 640, height: 480)
        world.feed(.format(format))
        world.run(.seconds(1))
        #expect(server.methodsSeen.count == 4)
        format.codec = .h265
        world.encoder.codec = .h265
        world.feed(.format(format))
        world.run(.seconds(1))
        #expect(
            server.methodsSeen.dropFirst(4) == ["TEARDOWN", "OPTIONS", "ANNOUNCE", "SETUP", "RECORD"])
        #expect(String(decoding: server.requests[6].body, as: UTF8.self).contains("H265/90000"))
        #expect(world.events == ["published, udp", "lost: The codec has changed.", "published, udp"])
    }

    @Test("digest authentication, with our own endpoint and with others; the password itself goes nowhere")
    func digest() throws {
        let credentials = try #require(ServerCredentials(username: "anna", password: Array("s:cret".utf8)))
        let address = "rtsp://anna:s%3Acret@10.0.0.1:8554/live"
        let world = try RecordWorld(.host(RecordWorld.host(credentials)), address: address)
        world.run(.seconds(40))
        #expect(world.events == ["published, udp"] && world.frames.count > 900)
        #expect(!String(decoding: world.sent, as: UTF8.self).contains("cret"))

        let server = Self.server()
        server.credentials = ("anna", "s:cret")
        server.challenge = DigestChallenge(realm: "x", nonce: "n", algorithm: .md5)
        server.nonceLasts = 3
        let other = try RecordWorld(.server(server), address: address)
        other.run(.seconds(40))
        #expect(other.events == ["published, udp"])
        #expect(!String(decoding: other.sent, as: UTF8.self).contains("cret"))
    }
}
