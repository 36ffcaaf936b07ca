import HelioAdmission
import HelioCore
import HelioHost
import HelioMedia
import HelioProtection
import HelioRTP
import HelioSimulation
import Testing

@testable import HelioSession

/// A viewer's voice in a session: setup, rate by the path, and no recipient without consent.
@Suite("A viewer's voice in a session")
struct VoiceSessionTests {
    static func world(
        _ conditions: LinkConditions = .lan, seed: UInt64 = 1, hears: Bool = true, speaks: Bool = true,
        transport: TransportPolicy = .automatic, hostSuite: SuiteOptions? = nil, viewerSuite: SuiteOptions? = nil
    ) -> SessionWorld {
        SessionWorld(
            conditions, seed: seed, hostSuite: hostSuite, viewerSuite: viewerSuite, transport: transport,
            hearsViewers: hears, speaks: speaks)
    }

    @Test("a host that hears viewers hears all of it, at once, and tells who speaks")
    func heard() throws {
        var world = Self.world(LinkConditions(delay: .milliseconds(10)))
        try world.run(.seconds(10))
        let voice = world.host.voice
        #expect(voice.codecs == [.opus] && voice.wrong == 0 && voice.twice == 0)
        #expect(voice.account.missing == 0 && voice.account.doubled == 0 && voice.account.frames > 9 * 48_000)
        #expect(try #require(voice.delays.max()) < .milliseconds(11))
        #expect(voice.packets.first?.beginsTalk == true)
        #expect(world.host.speaking == [true])
        #expect(world.viewer.voiceWanted == [SoundDemand(encodes: [.opus])])
        let sent = try #require(world.viewer.session.statistics.voice)
        #expect(sent.packets >= voice.packets.count && sent.repeats == 0 && sent.loss == 0)
        let viewer = try #require(world.host.host.statistics.viewers.first)
        #expect(viewer.voice?.packets == voice.packets.count && viewer.voice?.lost == 0)
        #expect(world.viewer.session.statistics.drops.isEmpty)
        let drops = world.host.host.statistics.drops.filter { $0.key != "media-before-first-report" }
        #expect(drops.isEmpty, "\(drops)")
        #expect(world.host.thrownAway == 0 && world.viewer.broken == 0 && world.viewer.frames > 550)
    }

    @Test("it costs no round trip: the picture is there as soon as without it")
    func roundTrips() throws {
        let far = LinkConditions(delay: .milliseconds(40))
        var with = Self.world(far)
        var without = SessionWorld(far)
        try with.run(.seconds(2))
        try without.run(.seconds(2))
        #expect(
            try #require(with.viewer.firstFrameAt) <= (try #require(without.viewer.firstFrameAt)) + .milliseconds(5))
    }

    @Test("where the host hears nobody, or the viewer does not speak, nothing is captured; all else is as ever")
    func unheard() throws {
        for (hears, speaks) in [(false, true), (true, false), (false, false)] {
            var world = Self.world(hears: hears, speaks: speaks)
            try world.run(.seconds(2))
            #expect(world.viewer.voiceWanted.isEmpty && world.host.voice.packets.isEmpty)
            #expect(world.viewer.voiceRefusals == (speaks ? 1 : 0))
            #expect(world.viewer.session.statistics.voice == nil)
            #expect(world.viewer.isPlaying && world.viewer.frames > 100)
        }
    }

    @Test(
        "losses are mended by what later packets repeat",
        arguments: [(0.01, 0.001), (0.05, 0.005), (0.1, 0.02), (0.2, 0.06)])
    func loss(share: Double, missing: Double) throws {
        for seed in UInt64(1)...3 {
            var world = Self.world(.lossy(share), seed: seed)
            try world.run(.seconds(8))
            world.host.voice.removeAll()
            try world.run(.seconds(20))
            let voice = world.host.voice
            #expect(voice.wrong == 0 && voice.twice == 0 && voice.packets.contains { $0.isRedundant })
            let account = voice.account
            #expect(account.frames > 19 * 48_000)
            #expect(Double(account.missing) / Double(account.frames) < missing, "seed \(seed)")
            #expect(try #require(world.viewer.session.statistics.voice).repeats > 0)
        }
    }

    @Test("over TCP it goes inside the connection")
    func insideConnection() throws {
        var world = Self.world(transport: .tcp)
        try world.run(.seconds(6))
        #expect(world.viewer.transports.last?.transport == .tcp)
        var outside = 0
        world.viewer.tap = { if !RTCPPacket.isRTCP($0.span.bytes) { outside += 1 } }
        world.host.voice.removeAll()
        try world.run(.seconds(5))
        #expect(outside == 0)
        #expect(world.host.voice.account.missing == 0 && world.host.voice.account.frames > 4 * 48_000)
    }

    @Test("paused, nothing is captured; it goes on; and nothing is left when the viewer has gone")
    func pause() throws {
        var world = Self.world()
        try world.run(.seconds(2))
        world.viewer.setPaused(true, now: world.now)
        try world.run(.seconds(5))
        #expect(world.viewer.voiceWanted.last == SoundDemand.none)
        // A viewer that was silent for a while no longer counts as speaking.
        #expect(world.host.speaking == [true, false])
        world.host.voice.removeAll()
        try world.run(.seconds(1))
        #expect(world.host.voice.packets.isEmpty)
        world.viewer.setPaused(false, now: world.now)
        try world.run(.seconds(1))
        #expect(world.host.voice.packets.count > 150 && world.host.voice.packets.first?.beginsTalk == true)
        #expect(world.host.speaking == [true, false, true])
        world.viewer.leave(now: world.now)
        #expect(world.viewer.voiceWanted.last == SoundDemand.none)
        try world.run(.milliseconds(100))
        #expect(world.host.host.held.values.allSatisfy { $0 == 0 })
    }

    @Test("a viewer whose address has changed goes on being heard")
    func otherAddress() throws {
        var world = Self.world()
        try world.run(.seconds(2))
        world.host.mediaPath = PathID(77)
        world.host.voice.removeAll()
        try world.run(.seconds(4))
        #expect(world.host.voice.account.missing == 0 && world.host.voice.account.frames > 3 * 48_000)
        #expect(world.host.speaking == [true])
    }

    @Test("what is forged, changed or sent again under the viewer's SSRC is not heard, and counted")
    func forged() throws {
        var world = Self.world()
        var last: [UInt8] = []
        world.viewer.tap = { if !RTCPPacket.isRTCP($0.span.bytes) { last = $0 } }
        try world.run(.seconds(1))
        #expect(last.count > 90)
        let heard = world.host.voice.packets.count
        var changed = last
        changed[40] ^= 1
        for bytes in [last, changed, Array(last.prefix(12)), Array(last.prefix(20)), last + [0]] {
            world.host.receive([HostPeer.mediaTag] + bytes, now: world.now)
        }
        #expect(world.host.voice.packets.count == heard)
        let drops = world.host.host.statistics.drops
        #expect(drops["sound-not-genuine"] == 5, "\(drops)")
        try world.run(.seconds(1))
        #expect(world.host.voice.account.missing == 0 && world.host.voice.wrong == 0)
    }

    @Test("a viewer that has not set it up is not heard: its RTP is dropped, and counted")
    func notSetUp() throws {
        var world = Self.world(speaks: false)
        try world.run(.seconds(1))
        var bytes: [UInt8] = [0x80, 101, 0, 1, 0, 0, 0, 0]
        bytes.append(bigEndian: try #require(world.viewer.session.mediaSetup).viewerSSRC.rawValue)
        world.host.receive([HostPeer.mediaTag] + bytes + [UInt8](repeating: 0, count: 90), now: world.now)
        #expect(world.host.voice.packets.isEmpty)
        #expect(world.host.host.statistics.drops["media-not-rtcp"] == 1)
    }

    @Test("a suite protects it where its scope says sound", arguments: [SuiteScope.video, .audio, .all, .command])
    func scopes(scope: SuiteScope) throws {
        let suite = SuiteSessionTests.suite
        var world = Self.world(
            hostSuite: try .test(suite, scope: scope, masksKeys: true), viewerSuite: try .test(suite, masksKeys: true))
        var shapes: Set<Bool> = []
        world.viewer.tap = { bytes in
            guard !RTCPPacket.isRTCP(bytes.span.bytes), bytes[1] & 0x7F == 101 else { return }
            // A header of 12 bytes, 80 bytes of Opus, and an AES-GCM tag of 16; or else whole blocks with IV and tag.
            shapes.insert(bytes.count != 12 + 80 + 16)
        }
        try world.run(.seconds(3))
        #expect(world.viewer.agreements == [.on(suite, scope: scope, masksKeys: true)])
        #expect(world.host.voice.account.frames > 2 * 48_000 && world.host.voice.wrong == 0)
        #expect(shapes == [scope.contains(.audio)])
    }

    @Test("its section of the offer is read back, and a viewer that does not know it passes it over")
    func offer() throws {
        var random = SeededGenerator(seed: 3)
        var offer = StreamOffer(
            format: .test, mediaKey: SRTPMasterKey(profile: StreamOffer.profile, using: &random),
            controlKey: SealedKey(using: &random), allowsControl: true)
        for takesVoice in [false, true] {
            offer.takesVoice = takesVoice
            let read = try #require(StreamOffer(offer.sessionDescription(id: 1)))
            #expect(read.takesVoice == takesVoice && read.sounds.isEmpty)
        }
    }
}
