import HelioCore
import HelioMedia
import HelioRTP
import HelioRTSP
import HelioRTSPServer
import HelioSDP
import HelioSimulation
import Testing

@Suite("A player's session: sound")
struct PlaySoundTests {
    private let id = PlayWorld.id(1)
    private static let audio = PlayWorld.screen + "/audio"
    private static let tcp = "RTP/AVP/TCP;unicast;interleaved="

    /// Returns a numbered AAC access unit or Opus packet.
    private static func packet(
        _ number: Int, _ encode: SoundEncode = .aac, size: Int = 200, at start: Instant, origin: SoundOrigin = .system
    ) -> EncodedSound {
        let frames = encode.codec == .aac ? 1024 : 240
        let time = Int64(number * frames)
        return EncodedSound(
            origin: origin, encode: encode, payload: [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: size),
            mediaTime: 1_000_000 + time, frames: frames,
            captured: start + .nanoseconds(time * 1_000_000_000 / 48000))
    }

    /// Sets up tracks and plays; returns the response to PLAY.
    @discardableResult
    private func play(_ world: PlayWorld, _ tracks: [(String, String)]) throws -> RTSPResponse {
        world.connect(id)
        world.ask(.describe, PlayWorld.screen, on: id)
        var session: String?
        for (uri, transport) in tracks {
            let answer = world.ask(
                .setup, uri, session.map { ["Transport": transport, "Session": $0] } ?? ["Transport": transport], on: id
            )
            try #require(answer?.status == .ok)
            session = answer?.headers.session?.id
        }
        let answer = try #require(
            world.ask(.play, PlayWorld.screen, ["Session": session ?? ""], on: id))
        world.advance(.milliseconds(100))
        return answer
    }

    private func sounds(_ world: PlayWorld) -> [(header: RTPHeader, payload: [UInt8])] {
        world.media[id, default: []].compactMap { packet in
            guard let header = RTPHeader.parse(packet.span.bytes), header.payloadType == PayloadType(97) else {
                return nil
            }
            return (header, Array(packet[header.length...]))
        }
    }

    private func senderReports(_ world: PlayWorld) -> [SenderReport] {
        world.heard(id).compactMap { if case .senderReport(let report) = $0 { report } else { nil } }
    }

    @Test("the description has the sound beside the video", arguments: [SoundEncode.aac, .opus, .pcm])
    func described(encode: SoundEncode) throws {
        let world = PlayWorld(sound: encode)
        world.connect(id)
        let body = try #require(world.ask(.describe, PlayWorld.screen, on: id)?.body)
        let description = try SessionDescription(parsing: body)
        #expect(description.media.map(\.kind) == [.video, .audio])
        let audio = description.media[1]
        #expect(audio.attributes.first(ControlURL.self)?.url == "audio")
        let sound = try #require(audio.sounds.first)
        #expect(sound.clockRate == 48000 && sound.channels == 2 && sound.payloadType == PayloadType(97))
        switch (encode.codec, sound.encoding) {
        case (.aac, .aac(let aac)): #expect(aac.configuration == [0x11, 0x90])
        case (.opus, .opus(let opus)): #expect(opus.sendsStereo)
        case (.pcm, .linear16): break
        default: Issue.record("another codec")
        }
    }

    @Test("both tracks play, over UDP and TCP, and are wanted for as long", arguments: [true, false])
    func both(isInterleaved: Bool) throws {
        let world = PlayWorld(sound: .aac)
        let ways =
            isInterleaved
            ? [Self.tcp + "0-1", Self.tcp + "2-3"] : ["RTP/AVP;client_port=5000-5001", "RTP/AVP;client_port=5002-5003"]
        let answer = try play(world, [(PlayWorld.video, ways[0]), (Self.audio, ways[1])])
        #expect(world.soundWanted == [[.system: SoundDemand(encodes: [.aac], takesSilence: true)]])
        let info = try #require(answer.headers["RTP-Info"]).split(separator: ",")
        #expect(info.count == 2 && info[0].hasPrefix("url=\(PlayWorld.video);seq="))
        #expect(info[1].hasPrefix("url=\(Self.audio);seq="))

        let start = world.now
        for number in 0..<100 {
            world.hear(Self.packet(number, at: start))
            world.advance(.microseconds(21_333))
        }
        let sounds = sounds(world)
        #expect(sounds.count == 100)
        let first = sounds[0].header
        #expect(info[1].contains(";seq=\(first.sequence);"))
        #expect(sounds.map(\.header.sequence) == (0..<100).map { first.sequence &+ $0 })
        #expect(sounds.map(\.header.timestamp) == (0..<100).map { first.timestamp &+ $0 * 1024 })
        for (number, sound) in sounds.enumerated() {
            #expect(sound.header.marker)
            let parsed = try AACPayload(sound.payload.span.bytes, widths: .highBitrate)
            #expect(parsed.units == [4..<204] && sound.payload[4] == UInt8(number))
        }
        // Both sender reports have the same NTP time for the same instant, in agreement with the response to PLAY.
        let reports = senderReports(world)
        let ofSound = try #require(reports.first { $0.ssrc == first.ssrc })
        let ofVideo = try #require(reports.first { $0.ssrc != first.ssrc })
        let times = try [ofVideo, ofSound].map { try #require(MediaClock.instant(ntp: $0.ntpTime)) }
        let passed = times[1] - times[0]
        let video = Int64(ofVideo.rtpTimestamp) * 1_000_000 / 90
        let sound = Int64(ofSound.rtpTimestamp) * 1_000_000 / 48
        #expect(abs(sound - video - passed.nanoseconds) < 1_000_000)
        if !isInterleaved { #expect(world.ports[id] == [5000, 5001, 5002, 5003]) }
        #expect(world.host.statistics.sent.soundPackets == 100)
        #expect(reports.count { $0.ssrc == first.ssrc } >= 2)

        world.ask(.teardown, PlayWorld.screen, on: id)
        #expect(world.soundWanted.last == [:] && world.soundWanted.count == 2)
        #expect(world.heard(id).contains(.goodbye([first.ssrc])))
        world.hear(Self.packet(100, at: start))
        #expect(self.sounds(world).count == 100)
    }

    @Test("what is captured before PLAY, of another encode or of another origin is not sent")
    func foreign() throws {
        let world = PlayWorld(sound: .opus)
        world.connect(id)
        world.advance(.seconds(1))
        try play(world, [(PlayWorld.video, Self.tcp + "0-1"), (Self.audio, Self.tcp + "2-3")])
        for sound in [
            Self.packet(0, .opus, at: .zero), Self.packet(1, .aac, at: world.now),
            Self.packet(2, .opus, at: world.now, origin: .microphone),
            Self.packet(3, .opus, size: 1300, at: world.now),
        ] {
            world.hear(sound)
        }
        #expect(sounds(world).isEmpty)
        #expect(world.host.statistics.drops["player-sound-unsendable"] == 1)
        world.hear(Self.packet(4, .opus, at: world.now))
        world.hear(Self.packet(5, .opus, at: world.now))
        #expect(sounds(world).map(\.header.marker) == [true, false])
    }

    @Test("a unit that no datagram takes goes in parts")
    func parts() throws {
        let world = PlayWorld(sound: .aac)
        try play(world, [(PlayWorld.video, Self.tcp + "0-1"), (Self.audio, Self.tcp + "2-3")])
        world.hear(Self.packet(7, size: 3000, at: world.now))
        var depacketizer = AACDepacketizer()
        var units: [[UInt8]] = []
        for (header, payload) in sounds(world) {
            units += try depacketizer.take(payload.span.bytes, timestamp: header.timestamp, marker: header.marker)
        }
        #expect(units == [[UInt8](repeating: 7, count: 3000)])
        #expect(sounds(world).count == 3)
    }

    @Test("one track alone: the video without sound, and the sound without pictures")
    func oneTrack() throws {
        let watched = PlayWorld(sound: .aac)
        try play(watched, [(PlayWorld.video, Self.tcp + "0-1")])
        #expect(watched.soundWanted.isEmpty && watched.isWatched)
        watched.hear(Self.packet(0, at: watched.now))
        #expect(sounds(watched).isEmpty && !watched.packets(id).isEmpty)

        let heard = PlayWorld(sound: .aac)
        try play(heard, [(Self.audio, Self.tcp + "0-1")])
        #expect(!heard.isWatched && heard.soundWanted.count == 1)
        heard.hear(Self.packet(0, at: heard.now))
        heard.frame(keyframe: true)
        #expect(heard.packets(id).map(\.payloadType) == [PayloadType(97)])
        heard.disconnect(id)
        #expect(heard.soundWanted.last == [:])
    }

    @Test("no sound: no track of it; and one channel is not given twice")
    func refusals() {
        let silent = PlayWorld()
        silent.connect(id)
        #expect(silent.ask(.setup, Self.audio, ["Transport": Self.tcp + "0-1"], on: id)?.status == .notFound)
        let world = PlayWorld(sound: .aac)
        world.connect(id)
        #expect(world.ask(.setup, PlayWorld.video, ["Transport": Self.tcp + "0-1"], on: id)?.status == .ok)
        #expect(
            world.ask(.setup, Self.audio, ["Transport": Self.tcp + "1-2"], on: id)?.status == .unsupportedTransport)
        let free = world.ask(.setup, Self.audio, ["Transport": "RTP/AVP/TCP;unicast"], on: id)
        #expect(free?.headers["Transport"]?.contains("interleaved=2-3") == true)
        #expect(
            world.ask(.setup, PlayWorld.screen + "/other", ["Transport": Self.tcp + "4-5"], on: id)?.status == .notFound
        )
    }

    @Test("the encoder is told what players lose")
    func loss() throws {
        let world = PlayWorld(sound: .opus)
        try play(
            world,
            [(PlayWorld.video, "RTP/AVP;client_port=5000-5001"), (Self.audio, "RTP/AVP;client_port=5002-5003")])
        world.hear(Self.packet(0, .opus, at: world.now))
        let ssrc = try #require(sounds(world).first?.header.ssrc)
        for fraction in [26, 26, 0] as [UInt8] {
            var bytes: [UInt8] = []
            RTCPPacket.receiverReport(
                ReceiverReport(
                    ssrc: SSRC(77),
                    reports: [
                        ReportBlock(
                            ssrc: ssrc, fractionLost: fraction, cumulativeLost: 0, highestSequence: 0, jitter: 0,
                            lastSenderReport: 0, delaySinceLastSenderReport: 0)
                    ])
            ).write(into: &bytes)
            world.report(bytes)
        }
        #expect(world.soundWanted.map { $0[.system]?.lossShare } == [0, 0.15, 0])
        #expect(world.host.statistics.drops.isEmpty)
    }

    @Test("a connection that takes nothing gets no more sound until it does")
    func slow() throws {
        let world = PlayWorld(sound: .aac)
        try play(world, [(PlayWorld.video, Self.tcp + "0-1"), (Self.audio, Self.tcp + "2-3")])
        world.stuck.insert(id)
        let start = world.now
        for number in 0..<400 { world.hear(Self.packet(number, size: 8000, at: start)) }
        world.advance(.zero)
        #expect((100..<300).contains(world.host.statistics.sent.soundPackets / 7))
        #expect((world.host.statistics.drops["player-slow-connection"] ?? 0) > 100)
    }

    @Test("after a pause the sound goes on with times of its own")
    func pause() throws {
        let world = PlayWorld(sound: .opus)
        let session = try #require(
            try play(world, [(PlayWorld.video, Self.tcp + "0-1"), (Self.audio, Self.tcp + "2-3")]).headers.session?.id)
        world.hear(Self.packet(0, .opus, at: world.now))
        world.ask(.pause, PlayWorld.screen, ["Session": session], on: id)
        #expect(world.soundWanted.last == [:])
        world.advance(.seconds(10))
        world.ask(.play, PlayWorld.screen, ["Session": session], on: id)
        world.advance(.milliseconds(10))
        // Another capture, with its own timestamps.
        world.hear(Self.packet(9_000_000, .opus, at: world.now - .seconds(45000)))
        let stamps = sounds(world).map(\.header.timestamp)
        #expect(stamps.count == 2 && (470_000...500_000).contains(Int(stamps[1] &- stamps[0])))
    }
}
