import HelioCore
import HelioMedia
import HelioRTP
import HelioRTSP
import HelioRTSPServer
import HelioSession
import HelioSimulation
import Testing

@Suite("Publishing to this end: wrong, hostile and vanishing publishers")
struct RecordHostileTests {
    private let id = RecordWorld.id(1)
    private let other = RecordWorld.id(2)

    @Test("what comes out of order is answered with 455 and changes nothing")
    func order() {
        let world = RecordWorld()
        world.connect(id)
        for method in [RTSPMethod.setup, .record, .pause, .teardown] {
            let answer = world.ask(method, RecordWorld.video, ["Transport": RecordWorld.tcp], on: id)
            #expect(answer?.status == .invalidState && answer?.headers["Allow"] == "OPTIONS, ANNOUNCE")
        }
        #expect(world.announce(on: id) == .ok)
        for method in [RTSPMethod.record, .pause] {
            #expect(world.ask(method, on: id)?.status == .invalidState)
        }
        #expect(world.setUp(on: id)?.status == .ok)
        #expect(world.announce(on: id) == .invalidState)
        #expect(world.ask(.record, on: id)?.status == .ok)
        #expect(world.setUp(on: id)?.status == .invalidState)
        #expect(world.announce(on: id) == .invalidState)
        world.frame(keyframe: true, on: id)
        #expect(world.indices == [0])
        #expect(world.ask(.teardown, on: id)?.status == .ok)
        #expect(world.ask(.record, on: id)?.status == .invalidState)
        #expect(world.announce(on: id) == .ok)
    }

    @Test("methods that are not for publishers, unknown ones, wrong sessions and features")
    func refused() {
        let world = RecordWorld()
        world.connect(id)
        #expect(world.ask(.describe, on: id)?.status == .methodNotAllowed)
        #expect(world.ask(.play, on: id)?.status == .methodNotAllowed)
        #expect(world.ask(RTSPMethod(rawValue: "FLY"), on: id)?.status == .notImplemented)
        #expect(world.ask(.announce, "http://h/x", on: id)?.status == .notFound)
        #expect(world.ask(.announce, RecordWorld.uri, ["Session": "1"], on: id)?.status == .sessionNotFound)
        #expect(world.ask(.announce, RecordWorld.uri, ["Require": "wings"], on: id)?.status == .optionNotSupported)
        #expect(world.ask(.setParameter, body: [0x61], on: id)?.status == .parameterNotUnderstood)
        #expect(world.ask(.getParameter, on: id)?.status == .ok)
        #expect(world.events.isEmpty)
    }

    struct Description: Sendable, CustomTestStringConvertible {
        var name: String
        var text: String
        var type: String? = "application/sdp"
        var status: RTSPStatus
        var testDescription: String { name }
    }

    private static let good = RecordWorld.description
    static let descriptions = [
        Description(name: "none", text: "", status: .unsupportedMediaType),
        Description(name: "no type", text: good, type: nil, status: .unsupportedMediaType),
        Description(name: "another type", text: good, type: "text/html", status: .unsupportedMediaType),
        Description(name: "type with parameters", text: good, type: "application/SDP; charset=utf-8", status: .ok),
        Description(name: "junk", text: "\u{1}\u{2}", status: .unsupportedMediaType),
        Description(name: "broken media line", text: "v=0\r\nm=video\r\n", status: .badRequest),
        Description(
            name: "sound alone", text: good.replacing("m=video", with: "m=audio"), status: .unsupportedMediaType),
        Description(
            name: "another codec", text: good.replacing("H264", with: "VP8"), status: .unsupportedMediaType),
        Description(
            name: "encrypted", text: good.replacing("video 0 RTP/AVP", with: "video 0 RTP/SAVP"),
            status: .unsupportedMediaType),
        Description(
            name: "more streams than any program has",
            text: good + String(repeating: "m=audio 0 RTP/AVP 0\r\n", count: 8), status: .badRequest),
    ]

    @Test("ANNOUNCE with what is no description that can be shown", arguments: descriptions)
    func announce(_ description: Description) {
        let world = RecordWorld()
        world.connect(id)
        #expect(world.announce(description.text, type: description.type, on: id) == description.status)
        // A failed publisher doesn't block others.
        world.connect(other)
        #expect(world.announce(on: other) == (description.status == .ok ? .serviceUnavailable : .ok))
    }

    @Test("a description that is too large ends the connection, before it is there")
    func oversized() {
        let world = RecordWorld()
        world.connect(id)
        let head = "ANNOUNCE \(RecordWorld.uri) RTSP/1.0\r\nCSeq: 1\r\nContent-Length: 70000\r\n\r\n"
        world.feed(.received(id, Array(head.utf8)))
        #expect(world.takeResponses(id).map(\.status) == [.bodyTooLarge])
        #expect(world.closed == [id] && !world.host.knows(id))
    }

    @Test(
        "SETUP of what was not announced, or in ways that there are not",
        arguments: [
            (RecordWorld.uri + "/streamid=7", RecordWorld.tcp, RTSPStatus.notFound),
            (RecordWorld.uri, RecordWorld.tcp, .notFound),
            (RecordWorld.video, "RTP/AVP;multicast;mode=record", .unsupportedTransport),
            (RecordWorld.video, "RTP/AVP/TCP;interleaved=0-1;mode=PLAY", .unsupportedTransport),
            (RecordWorld.video, "RTP/SAVP;client_port=5000-5001;mode=record", .unsupportedTransport),
            (RecordWorld.video, "RTP/AVP;unicast;mode=record", .unsupportedTransport),
            (RecordWorld.video, "RTP/AVP;client_port=x", .badRequest),
            (RecordWorld.video.replacing("10.0.0.1:8554", with: "[::1]") + "/", RecordWorld.tcp, .ok),
        ])
    func setUp(uri: String, transport: String, status: RTSPStatus) {
        let world = RecordWorld()
        world.connect(id)
        world.announce(on: id)
        #expect(world.setUp(uri, transport, on: id)?.status == status)
        #expect(world.ask(.record, on: id)?.status == (status == .ok ? .ok : .invalidState))
    }

    @Test(
        "a publisher that sends nothing is put out after 20 seconds, however often it asks", arguments: [true, false])
    func silent(asks: Bool) {
        let world = RecordWorld()
        world.publish(id)
        world.frame(keyframe: true, on: id)
        for _ in 0..<4 {
            world.advance(.milliseconds(4900))
            if asks { #expect(world.ask(.getParameter, on: id)?.status == .ok) }
        }
        #expect(world.closed.isEmpty)
        world.advance(.milliseconds(500))
        #expect(world.closed == [id] && world.events.last == "left: sent nothing for 20 s")
        world.publish(other)
        world.frame(keyframe: true, on: other)
        #expect(world.events.last == "playing, tcp")
    }

    @Test("sender reports alone keep a resting picture")
    func resting() {
        let world = RecordWorld()
        world.publish(id)
        world.frame(keyframe: true, on: id)
        var report: [UInt8] = []
        RTCPPacket.senderReport(
            SenderReport(ssrc: SSRC(7), ntpTime: 1, rtpTimestamp: 1, packetCount: 1, octetCount: 1, reports: [])
        ).write(into: &report)
        for _ in 0..<20 {
            world.advance(.seconds(5))
            world.send(report, .rtcp, on: id)
        }
        #expect(world.closed.isEmpty)
    }

    @Test("a publisher that goes without TEARDOWN makes room at once; one that says good-bye, after a second")
    func gone() {
        let world = RecordWorld()
        world.publish(id, RecordWorld.udp)
        world.frame(keyframe: true)
        world.feed(.disconnected(id))
        #expect(world.events.last == "left: closed the connection" && world.aim == nil)
        world.frame(keyframe: true)
        #expect(world.frames.count == 1 && world.host.statistics.drops["recording-foreign-media", default: 0] > 0)

        world.publish(other)
        world.packetizer = RTPPacketizer.plain(ssrc: 9, firstSequence: 1)
        world.frame(keyframe: true, on: other)
        var goodbye: [UInt8] = []
        RTCPPacket.receiverReport(ReceiverReport(ssrc: SSRC(9))).write(into: &goodbye)
        RTCPPacket.goodbye([SSRC(9)]).write(into: &goodbye)
        world.send(goodbye, .rtcp, on: other)
        world.advance(.milliseconds(900))
        #expect(world.closed.isEmpty)
        world.advance(.milliseconds(200))
        #expect(world.closed == [other] && world.events.last == "left: ended its stream")
        #expect(world.host.deadline == nil)
    }

    @Test("connections that never speak go after 20 seconds, and keep no publisher out")
    func strangers() {
        let world = RecordWorld(connectionLimit: 4)
        world.publish(id)
        for number in 0..<50 { world.connect(RecordWorld.id(UInt64(100 + number))) }
        #expect(world.host.knows(id))
        #expect(world.host.statistics.drops["recording-too-many-connections"] == 47)
        for _ in 0..<5 {
            world.frame(keyframe: true, on: id)
            world.advance(.seconds(5))
        }
        #expect((0..<50).allSatisfy { !world.host.knows(RecordWorld.id(UInt64(100 + $0))) })
        #expect(world.host.knows(id) && world.frames.count == 5)
    }

    @Test("who reads no answers is put out before they fill the memory")
    func unread() {
        let world = RecordWorld()
        world.connect(id)
        world.isStuck = true
        var rounds = 0
        while world.closed.isEmpty, rounds < 1000 {
            world.ask(.setParameter, body: Array(repeating: 0x61, count: 60_000), on: id)
            rounds += 1
        }
        #expect(world.closed == [id] && world.unsent < (1 << 20) + 200_000)
    }

    @Test("media before RECORD and after PAUSE, or of somebody else, is dropped")
    func early() {
        let world = RecordWorld()
        world.connect(id)
        world.announce(on: id)
        world.setUp(on: id)
        world.frame(keyframe: true, on: id)
        world.frame(keyframe: true)
        #expect(world.frames.isEmpty && world.events.isEmpty)
        #expect(world.host.statistics.drops.keys.sorted() == ["media-foreign-channel", "recording-foreign-media"])
    }

    @Test("pictures that can't be shown end it, and the person is told why")
    func unshowable() {
        let world = RecordWorld()
        world.connect(id)
        // High 10 profile, then the regular dialogue.
        let description = RecordWorld.description.replacing(
            "sprop-parameter-sets=Z2QAKqw=,aO48gA==", with: "sprop-parameter-sets=Z24ACqbLQhMg")
        let status = world.announce(description, on: id)
        #expect(status == .unsupportedMediaType)
        #expect(world.events.last?.contains("10 bits") == true)
    }
}
