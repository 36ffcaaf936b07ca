import HelioCore
import HelioMedia
import HelioRTP
import HelioRTSP
import HelioRTSPClient
import HelioSimulation
import Testing

@Suite("A foreign RTSP server's sound, played")
struct PlaySoundTests {
    private static let ssrc = SSRC(0x50)

    private static func packet(
        _ sequence: UInt16, _ timestamp: UInt32, _ payload: [UInt8], type: UInt8 = 96, marker: Bool = false,
        ssrc: SSRC = ssrc
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        RTPHeader(
            marker: marker, payloadType: PayloadType(type), sequence: sequence, timestamp: timestamp, ssrc: ssrc
        ).write(into: &bytes, hasExtension: false)
        return bytes + payload
    }

    private static func report(_ ssrc: SSRC, _ time: Instant, _ timestamp: UInt32) -> [UInt8] {
        var bytes: [UInt8] = []
        RTCPPacket.senderReport(
            SenderReport(
                ssrc: ssrc, ntpTime: MediaClock.ntp(time), rtpTimestamp: timestamp, packetCount: 1, octetCount: 1)
        ).write(into: &bytes)
        return bytes
    }

    private static func world(_ description: String, isInterleaved: Bool = false) throws -> PlayWorld {
        let world = try PlayWorld()
        world.server.description = description
        world.server.allowsUDP = !isInterleaved
        world.connect()
        return world
    }

    /// An Opus packet of 20 ms.
    private static let opus: [UInt8] = [0xFC, 1, 2, 3]

    @Test("both tracks are set up, each with ports or channels of its own", arguments: [true, false])
    func order(isInterleaved: Bool) throws {
        let world = try Self.world(ScriptedServer.opus, isInterleaved: isInterleaved)
        let methods = world.server.methodsSeen
        #expect(
            methods == ["OPTIONS", "DESCRIBE", "SETUP"] + (isInterleaved ? ["SETUP", "SETUP"] : ["SETUP"]) + ["PLAY"])
        let setup = world.server.requests[methods.count - 2]
        #expect(setup.uri == ScriptedServer.uri + "/track0" && setup.headers["Session"] == "abc")
        #expect(
            setup.headers["Transport"]
                == (isInterleaved
                    ? "RTP/AVP/TCP;unicast;interleaved=2-3" : "RTP/AVP;unicast;client_port=5002-5003"))
        #expect(world.soundFormats == ["opus 48000/2 []"] && world.silence.isEmpty)
        #expect(world.punches == (isInterleaved ? 0 : 1) && world.soundPunches == (isInterleaved ? 0 : 1))
        for number in 0..<300 {
            world.deliver(
                Self.packet(
                    UInt16(truncatingIfNeeded: 65500 + number), UInt32(number) &* 960, Self.opus, marker: number == 0),
                .rtp, .sound)
            world.run(.milliseconds(20))
        }
        #expect(world.sounds.count == 300 && world.frames.count >= 149)
        #expect(world.sounds.allSatisfy { $0.codec == .opus && $0.payload == Self.opus && !$0.isRedundant })
        #expect(world.sounds.map(\.mediaTime) == (0..<300).map { $0 * 960 })
        let first = world.sounds[0].sequence.rawValue
        #expect(world.sounds.map(\.sequence.rawValue) == (0..<300).map { first + $0 })
        #expect(world.sounds.map(\.beginsTalk) == (0..<300).map { $0 == 0 })
        // Receiver reports cover both streams.
        let sources = world.reports.flatMap { packet -> [SSRC] in
            if case .receiverReport(let report) = packet { report.reports.map(\.ssrc) } else { [] }
        }
        #expect(Set(sources) == [SSRC(7), Self.ssrc])
        #expect(world.ended == nil && world.engine.statistics.drops.isEmpty)
        world.leave()
        #expect(world.reports.count { if case .goodbye = $0 { true } else { false } } == 2)
    }

    @Test("AAC of 44.1 kHz comes out unit by unit, in 48 kHz frames; what is lost is missing from the numbers")
    func aac() throws {
        let world = try Self.world(ScriptedServer.aac)
        #expect(world.soundFormats == ["aac 44100/2 [18, 16]"])
        for number in 0..<100 where number != 50 {
            let units = (0..<2).map { [UInt8](repeating: UInt8(number * 2 + $0), count: 10) }
            let payload = try #require(AACPayload.write(units))
            world.deliver(
                Self.packet(UInt16(number), UInt32(number * 2048), payload, marker: true), .rtp, .sound)
        }
        let present = (0..<200).filter { !(100...101).contains($0) }
        #expect(world.sounds.map(\.payload) == present.map { [UInt8](repeating: UInt8($0), count: 10) })
        #expect(world.sounds.map(\.mediaTime) == present.map { Int64($0) * 1024 * 48000 / 44100 })
        let first = world.sounds[0].sequence.rawValue
        #expect(world.sounds.map(\.sequence.rawValue) == present.map { first + UInt64($0) })
        #expect(world.sounds.allSatisfy { !$0.beginsTalk })
    }

    @Test("fragments of a unit are put together, and those of a unit that is not whole are dropped")
    func fragments() throws {
        let world = try Self.world(ScriptedServer.aac)
        let unit = [UInt8](repeating: 9, count: 1000)
        let parts = try #require(AACPayload.write(unit, limit: 300))
        var sequence: UInt16 = 0
        for number in 0..<3 {
            for (index, part) in parts.enumerated() where !(number == 1 && index == 1) {
                world.deliver(
                    Self.packet(
                        sequence + UInt16(index), UInt32(number * 1024), part, marker: index == parts.count - 1),
                    .rtp, .sound)
            }
            sequence += UInt16(parts.count)
        }
        #expect(world.sounds.map(\.payload) == [unit, unit])
        #expect(world.sounds[1].sequence.rawValue == world.sounds[0].sequence.rawValue + 2)
        #expect(world.engine.statistics.drops["media-sound-malformed"] == 1)
    }

    /// The configuration of GStreamer (`avenc_aac ! rtpmp4apay`).
    @Test("AAC in LATM comes out as any other")
    func latm() throws {
        let world = try Self.world(
            ScriptedServer.withSound(
                "a=rtpmap:96 MP4A-LATM/44100\r\na=fmtp:96 cpresent=0;config=40002420adca00;object=2"))
        #expect(world.soundFormats == ["aac 44100/2 [18, 16]"])
        let unit = [UInt8](repeating: 5, count: 700)
        let element = LATMPayload.element(unit)
        for number in 0..<4 {
            for (index, part) in [element[..<300], element[300...]].enumerated() where number != 2 || index == 1 {
                world.deliver(
                    Self.packet(
                        UInt16(number * 2 + index), UInt32(number * 1024), Array(part), marker: index == 1), .rtp,
                    .sound)
            }
        }
        #expect(world.sounds.allSatisfy { $0.payload == unit })
        #expect(world.sounds.map(\.mediaTime) == [0, 1024, 3072].map { Int64($0) * 48000 / 44100 })
    }

    @Test("G.711 comes out as samples", arguments: [("0", [0x82, 0x84] as [UInt8]), ("8", [0xEA, 0x80])])
    func g711(type: String, expected: [UInt8]) throws {
        let description = ScriptedServer.h264.replacing("m=audio 0 RTP/AVP 3", with: "m=audio 0 RTP/AVP \(type)")
        let world = try Self.world(description)
        #expect(world.soundFormats == ["pcm 8000/1 []"])
        for number in 0..<3 {
            world.deliver(
                Self.packet(
                    UInt16(number), UInt32(number * 160), [UInt8](repeating: 0, count: 160),
                    type: try #require(UInt8(type))), .rtp, .sound)
        }
        #expect(world.sounds.map(\.mediaTime) == [0, 960, 1920])
        #expect(world.sounds.allSatisfy { $0.payload == Array(repeatElement(expected, count: 160).joined()) })
    }

    /// The video's RTP timestamps begin at 0 with the first frame, at the world's start.
    @Test("reports put frames and sound on one clock")
    func clock() throws {
        let world = try Self.world(ScriptedServer.opus)
        let noon = Instant(nanoseconds: 4_000_000_000_000_000_000)
        world.run(.milliseconds(100))
        world.deliver(Self.packet(1, 0xFFFF_FF00, Self.opus), .rtp, .sound)
        #expect(world.frames.allSatisfy { $0.sourceTiming == nil } && world.clocks.isEmpty)
        world.deliver(Self.report(SSRC(7), noon, 0), .rtcp)
        // 256 ticks before the wrap, and 4544 after it: 100 ms.
        world.deliver(Self.report(Self.ssrc, noon + .milliseconds(100), 4544), .rtcp, .sound)
        let clock = try #require(world.clocks.first)
        #expect(world.clocks.count == 1)
        #expect(clock.mediaTime - world.sounds[0].mediaTime == 4800)
        #expect(abs((clock.captured - (noon + .milliseconds(100))).nanoseconds) < 10)
        let frames = world.frames.count
        world.run(.milliseconds(200))
        let frame = try #require(world.frames.dropFirst(frames).first)
        let captured = try #require(frame.sourceTiming?.captured)
        #expect(abs((captured - (noon + .milliseconds(40 * frames))).nanoseconds) < 1000)
        // Sound with an NTP clock unrelated to the video's is not synchronised.
        world.deliver(Self.report(Self.ssrc, .zero + .seconds(5), 9344), .rtcp, .sound)
        world.deliver(Self.report(Self.ssrc, noon + .seconds(9), 9344), .rtcp, .sound)
        #expect(world.clocks.count == 2)
    }

    @Test("a report ahead of the first packet counts once that is here")
    func earlyReport() throws {
        let world = try Self.world(ScriptedServer.opus)
        let noon = Instant(nanoseconds: 4_000_000_000_000_000_000)
        world.deliver(Self.report(Self.ssrc, noon, 960), .rtcp, .sound)
        #expect(world.clocks.isEmpty)
        world.deliver(Self.packet(1, 0, Self.opus), .rtp, .sound)
        #expect(world.clocks.map(\.mediaTime) == [960])
    }

    @Test(
        "a stream that begins anew goes on where the one before ended",
        arguments: [ScriptedServer.opus, ScriptedServer.aac])
    func another(description: String) throws {
        let world = try Self.world(description)
        let isAAC = description == ScriptedServer.aac
        let payload = isAAC ? try #require(AACPayload.write([[1, 2, 3]])) : Self.opus
        for number in 0..<10 {
            world.deliver(Self.packet(UInt16(1000 + number), UInt32(number * 960), payload), .rtp, .sound)
            world.run(.milliseconds(20))
        }
        world.run(.seconds(2))
        for number in 0..<10 {
            world.deliver(
                Self.packet(UInt16(60000 + number), 77777 + UInt32(number * 960), payload, ssrc: SSRC(0x51)), .rtp,
                .sound)
            world.run(.milliseconds(20))
        }
        #expect(world.sounds.count == 20)
        for (earlier, later) in zip(world.sounds, world.sounds.dropFirst()) {
            #expect(later.sequence > earlier.sequence && later.mediaTime > earlier.mediaTime)
        }
        let pause = world.sounds[10].mediaTime - world.sounds[9].mediaTime
        #expect((96_000...99_000).contains(pause))
    }

    static let without: [(String, String)] = [
        ("m=video", "the stream has none"), ("a=rtpmap:96 MP4A-LATM/44100/2", "it is MP4A-LATM"),
        ("a=rtpmap:96 vorbis/44100/2", "it is vorbis"),
        ("a=rtpmap:96 L16/48000/6", "it has 6 channels"), ("a=rtpmap:96 L16/4000/1", "it has 4000 samples a second"),
        (
            "a=rtpmap:96 mpeg4-generic/48000/2\r\na=fmtp:96 mode=AAC-hbr;config=F8E64000;sizelength=13",
            "it has a kind of AAC that is not known here"
        ),
    ]

    @Test("without sound that can be heard the video goes on, and the reason is told once", arguments: without)
    func withoutSound(format: String, reason: String) throws {
        var description = ScriptedServer.withSound(format)
        if format == "m=video" {
            description = ScriptedServer.h264.replacing("m=audio 0 RTP/AVP 3\r\na=control:track0\r\n", with: "")
        }
        let world = try Self.world(description)
        world.run(.seconds(1))
        #expect(world.server.methodsSeen == ["OPTIONS", "DESCRIBE", "SETUP", "PLAY"])
        #expect(world.silence == [reason] && world.soundFormats.isEmpty)
        #expect(world.frames.count >= 24 && world.ended == nil)
    }

    @Test(
        "a server that refuses the sound's SETUP still plays the video", arguments: [404, 461, 500],
        [true, false])
    func refused(status: Int, isInterleaved: Bool) throws {
        let world = try PlayWorld()
        world.server.description = ScriptedServer.opus
        world.server.allowsUDP = !isInterleaved
        world.server.soundRefusal = RTSPStatus(status, "Test")
        world.connect()
        world.run(.seconds(1))
        #expect(world.silence == ["the server refuses to set it up (\(status))"])
        #expect(world.frames.count >= 24 && world.ended == nil && world.soundFormats.isEmpty)
        #expect(world.server.methodsSeen.suffix(2) == ["SETUP", "PLAY"])
    }

    @Test(
        "a server that hangs up, or falls silent, when it is asked for sound is asked for the video alone",
        arguments: [true, false])
    func hangsUp(closes: Bool) throws {
        let world = try PlayWorld()
        world.server.description = ScriptedServer.opus
        // A provisional response, and no final one.
        world.server.override = { request in
            request.uri.hasSuffix("track0") ? RTSPResponse(RTSPStatus(100, "Test")) : nil
        }
        world.connect()
        if closes { world.feed(.disconnected) } else { world.run(.seconds(11)) }
        world.run(.seconds(1))
        #expect(world.connections == 2 && world.ended == nil)
        #expect(world.silence == ["the server does not set it up"])
        #expect(world.frames.count >= 24)
    }

    @Test("without ports for it the sound goes within the connection")
    func noPorts() throws {
        let world = try PlayWorld()
        world.server.description = ScriptedServer.opus
        world.hasSoundPorts = false
        world.connect()
        #expect(world.server.requests[3].headers["Transport"] == "RTP/AVP/TCP;unicast;interleaved=2-3")
        #expect(world.soundFormats.count == 1)
        let packet = Self.packet(1, 0, Self.opus)
        world.feed(.received(RTSPMessage.interleaved(channel: 4, packet).serialised()))
        #expect(world.sounds.count == 1)
    }

    @Test("an answer that gives the sound the video's channels is none")
    func overlapping() throws {
        let world = try PlayWorld()
        world.server.description = ScriptedServer.opus
        world.server.allowsUDP = false
        world.server.override = { request in
            request.uri.hasSuffix("track0")
                ? RTSPResponse(
                    .ok, headers: ["Session": "abc", "Transport": "RTP/AVP/TCP;unicast;interleaved=3-4"]) : nil
        }
        world.connect()
        world.run(.seconds(1))
        #expect(world.silence == ["the server refuses to set it up (200)"] && world.frames.count >= 24)
    }

    static let junk: [(String, [UInt8])] = [
        ("too short for Opus", [0x03]), ("Opus of 240 ms", [0xFF, 0x30 + 12]),
        ("Opus with lengths that lie", [0xFE, 200, 1]),
    ]

    @Test("junk is counted and passed over", arguments: junk)
    func hostile(name: String, payload: [UInt8]) throws {
        let world = try Self.world(ScriptedServer.opus)
        world.deliver(Self.packet(1, 0, payload), .rtp, .sound)
        world.deliver(Self.packet(2, 960, []), .rtp, .sound)
        world.deliver(Self.packet(3, 1920, Self.opus, type: 97), .rtp, .sound)
        world.deliver([0x80, 0x60], .rtp, .sound)
        world.deliver(Self.packet(4, 2880, Self.opus), .rtp, .sound)
        #expect(world.sounds.map(\.payload) == [Self.opus])
        let drops = world.engine.statistics.drops
        #expect(
            drops == ["media-sound-malformed": 1, "media-malformed": 1] || drops["media-sound-malformed"] == 1)
    }
}
