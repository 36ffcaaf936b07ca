import HelioCore
import HelioMedia
import HelioRTP
import HelioRTSP
import HelioRTSPServer
import HelioSimulation
import Testing

@Suite("Publishing to this end: sound")
struct RecordSoundTests {
    private let id = RecordWorld.id(1)

    private static func description(_ format: String) -> String {
        RecordWorld.description.replacing("a=rtpmap:97 MPEG4-GENERIC/44100/1", with: format)
    }

    private static let aac = description(
        "a=rtpmap:97 MPEG4-GENERIC/48000/2\r\na=fmtp:97 profile-level-id=1;mode=AAC-hbr;sizelength=13;indexlength=3;indexdeltalength=3; config=119056E500"
    )

    private static func packet(_ number: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        RTPHeader(
            marker: true, payloadType: PayloadType(97), sequence: UInt16(number), timestamp: UInt32(number * 1024),
            ssrc: SSRC(0x50)
        ).write(into: &bytes, hasExtension: false)
        return bytes + (AACPayload.write([[UInt8(number), 2, 3]]) ?? [])
    }

    @Test(
        "the announced sound comes out beside the frames, over UDP and TCP, in either order of SETUP",
        arguments: [true, false], [true, false])
    func sound(isInterleaved: Bool, isFirst: Bool) throws {
        let world = RecordWorld()
        world.connect(id)
        #expect(world.announce(Self.aac, on: id) == .ok)
        let audio = (
            RecordWorld.audio,
            isInterleaved ? "RTP/AVP/TCP;interleaved=0-1;mode=record" : "RTP/AVP;client_port=5002-5003;mode=record"
        )
        let video = (RecordWorld.video, isInterleaved ? RecordWorld.tcp : RecordWorld.udp)
        for (uri, transport) in isFirst ? [audio, video] : [video, audio] {
            #expect(world.setUp(uri, transport, on: id)?.status == .ok)
        }
        #expect(world.ask(.record, on: id)?.status == .ok)
        #expect(world.heard == ["aac 48000/2 [17, 144, 86, 229, 0]"])
        #expect(world.soundAim.map { [$0.rtp, $0.rtcp] } == (isInterleaved ? nil : [5002, 5003]))
        for number in 0..<50 {
            world.frame(keyframe: number == 0, on: isInterleaved ? id : nil)
            if isInterleaved {
                world.feed(.received(id, RTSPMessage.interleaved(channel: 0, Self.packet(number)).serialised()))
            } else {
                world.feed(.datagram(Self.packet(number), .rtp, .sound))
            }
            world.advance(.milliseconds(40))
        }
        #expect(world.indices == (0..<50).map { $0 })
        #expect(world.sounds.map(\.payload) == (0..<50).map { [UInt8($0), 2, 3] })
        #expect(world.sounds.map(\.mediaTime) == (0..<50).map { $0 * 1024 })
        world.advance(.seconds(4))
        let sources = world.reports.flatMap { packet -> [SSRC] in
            if case .receiverReport(let report) = packet { report.reports.map(\.ssrc) } else { [] }
        }
        #expect(Set(sources) == [SSRC(7), SSRC(0x50)])
        #expect(world.host.statistics.drops.isEmpty)
        world.ask(.teardown, on: id)
        #expect(world.aim == nil && world.soundAim == nil)
    }

    static let unheard: [(String, String)] = [
        (RecordWorld.description, "it is MPEG4-GENERIC"),
        (description("a=rtpmap:97 vorbis/44100/2"), "it is vorbis"),
        (aac, "it is not set up"),
    ]

    @Test("what can't be heard, or is not set up, leaves the video as it is", arguments: unheard)
    func without(description: String, reason: String) {
        let world = RecordWorld()
        world.connect(id)
        world.announce(description, on: id)
        world.setUp(on: id)
        #expect(world.ask(.record, on: id)?.status == .ok)
        world.frame(keyframe: true, on: id)
        #expect(world.heard == ["none: \(reason)"] && world.indices == [0])
    }
}
