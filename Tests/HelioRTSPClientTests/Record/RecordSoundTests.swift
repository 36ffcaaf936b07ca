import HelioCore
import HelioMedia
import HelioRTP
import HelioRTSP
import HelioRTSPClient
import HelioSDP
import Testing

@Suite("Publishing to another program's server: sound")
struct RecordSoundTests {
    private static func server() -> ScriptedServer {
        let server = ScriptedServer()
        server.methods = "OPTIONS, ANNOUNCE, SETUP, RECORD, TEARDOWN, GET_PARAMETER"
        return server
    }

    private static func packet(_ number: Int, _ encode: SoundEncode, at instant: Instant) -> EncodedSound {
        EncodedSound(
            encode: encode, payload: encode.codec == .aac ? [UInt8(number), 2, 3] : [0xEC, UInt8(number)],
            mediaTime: Int64(number) * (encode.codec == .aac ? 1024 : 240), frames: 1024, captured: instant)
    }

    private static func isSound(_ packet: [UInt8]) -> Bool {
        RTPHeader.parse(packet.span.bytes)?.payloadType == PayloadType(97)
    }

    @Test(
        "both tracks arrive at our own endpoint, over UDP and TCP, AAC and Opus, on one clock",
        arguments: [true, false],
        [SoundEncode.aac, .opus])
    func both(isInterleaved: Bool, encode: SoundEncode) throws {
        let world = try RecordWorld(.host(RecordWorld.host()), sound: encode, isInterleavedOnly: isInterleaved)
        world.run(.seconds(1))
        #expect(world.soundWanted == [[.system: SoundDemand(encodes: [encode], takesSilence: true)]])
        let start = world.now
        let length = Duration.nanoseconds(encode.codec == .aac ? 21_333_333 : 5_000_000)
        for number in 0..<100 {
            world.feed(.sound(Self.packet(number, encode, at: start + length * number)))
            world.run(length)
        }
        let codec = encode.codec.rawValue
        #expect(world.heard == ["\(codec) 48000/2"] && world.frames.count > 30)
        #expect(world.sounds.map(\.payload) == (0..<100).map { Self.packet($0, encode, at: .zero).payload })
        let first = world.sounds[0]
        #expect(
            world.sounds.map { $0.mediaTime - first.mediaTime }
                == (0..<100).map { Self.packet($0, encode, at: .zero).mediaTime })
        // A frame and a sound packet captured at the same time have the same reported time.
        let clock = try #require(world.clocks.first)
        let frame = try #require(world.frames.last)
        let captured = try #require(frame.sourceTiming?.captured) - RecordWorld.clockOffset
        #expect(captured >= start && captured <= world.now)
        let heard = clock.captured - RecordWorld.clockOffset
        let expected = start + .nanoseconds((clock.mediaTime - first.mediaTime) * 1_000_000_000 / 48000)
        #expect(abs((heard - expected).nanoseconds) < 100_000)
        #expect(world.engine.statistics.sent.soundPackets == 100)
        world.leave()
        #expect(world.soundWanted.last == [:])
    }

    @Test("the order of requests, and what is announced")
    func order() throws {
        let server = Self.server()
        let world = try RecordWorld(.server(server), sound: .aac)
        world.run(.seconds(1))
        #expect(server.methodsSeen == ["OPTIONS", "ANNOUNCE", "SETUP", "SETUP", "RECORD"])
        #expect(server.requests[3].uri == RecordWorld.uri + "/audio")
        let description = try SessionDescription(parsing: server.requests[1].body)
        #expect(description.media.map(\.kind) == [.video, .audio] && description.media[1].sounds.count == 1)
        world.feed(.sound(Self.packet(0, .aac, at: world.now)))
        world.feed(.sound(Self.packet(0, .opus, at: world.now)))
        #expect(world.media.count(where: Self.isSound) == 1)
    }

    @Test("a server that takes no sound is published the video alone", arguments: [415, 400])
    func refusedAtAnnounce(status: Int) throws {
        let server = Self.server()
        server.override = { request in
            let isWithSound = String(decoding: request.body, as: UTF8.self).contains("m=audio")
            return request.method == .announce && isWithSound ? RTSPResponse(RTSPStatus(status, "Test")) : nil
        }
        let world = try RecordWorld(.server(server), sound: .opus)
        world.run(.seconds(1))
        #expect(server.methodsSeen == ["OPTIONS", "ANNOUNCE", "ANNOUNCE", "SETUP", "RECORD"])
        #expect(world.events == ["no sound: The server does not take the sound (\(status)).", "published, udp"])
        #expect(world.soundWanted.isEmpty)
    }

    @Test("refused at SETUP, it is left out; where RECORD wants all that was announced, it is announced anew")
    func refusedAtSetUp() throws {
        let server = Self.server()
        server.override = { request in
            if request.uri.hasSuffix("audio") { return RTSPResponse(RTSPStatus(500, "Test")) }
            return nil
        }
        let world = try RecordWorld(.server(server), sound: .opus)
        world.run(.seconds(1))
        #expect(server.methodsSeen == ["OPTIONS", "ANNOUNCE", "SETUP", "SETUP", "RECORD"])
        #expect(world.events == ["no sound: The server does not take the sound (500).", "published, udp"])

        let strict = Self.server()
        var isAnnounced = false
        strict.override = { request in
            if request.method == .announce {
                isAnnounced = String(decoding: request.body, as: UTF8.self).contains("m=audio")
            }
            if request.uri.hasSuffix("audio") { return RTSPResponse(RTSPStatus(500, "Test")) }
            return request.method == .record && isAnnounced ? RTSPResponse(RTSPStatus(400, "Test")) : nil
        }
        let other = try RecordWorld(.server(strict), sound: .opus)
        other.run(.seconds(10))
        #expect(other.events.last == "published, udp" && other.connections == 2)
        #expect(strict.methodsSeen.suffix(4) == ["OPTIONS", "ANNOUNCE", "SETUP", "RECORD"])
    }
}
