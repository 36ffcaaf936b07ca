import HelioAdmission
import HelioCore
import HelioHost
import HelioMedia
import HelioProtection
import HelioRTP
import HelioSimulation
import Testing

@testable import HelioSession

/// Sound in a session between a host and a native viewer: setup, selection, switching, synchronisation.
@Suite("Sound in a session")
struct SoundSessionTests {
    static let both: [SoundCodec] = [.pcm, .opus]

    static func world(
        _ conditions: LinkConditions = .lan, seed: UInt64 = 1, takes: [SoundCodec] = both,
        sound: Set<SoundOrigin> = [.system], hostSuite: SuiteOptions? = nil, viewerSuite: SuiteOptions? = nil
    ) -> SessionWorld {
        SessionWorld(
            conditions, seed: seed, capabilities: StreamCapabilities(sound: takes), hostSuite: hostSuite,
            viewerSuite: viewerSuite, sound: sound)
    }

    static func heard(_ world: borrowing SessionWorld, _ origin: SoundOrigin = .system) -> HeardSound {
        world.viewer.heard[origin] ?? HeardSound()
    }

    @Test("on a good path it is heard from the start, becomes samples after a while, and nothing is missing or double")
    func join() throws {
        var world = Self.world()
        try world.run(.seconds(1))
        #expect(world.viewer.session.soundOrigins == [.system])
        #expect(Self.heard(world).codecs == [.opus])
        try world.run(.seconds(9))
        let heard = Self.heard(world)
        #expect(heard.codecs == [.opus, .pcm] && heard.packets.last?.codec == .pcm)
        #expect(heard.wrong == 0 && heard.twice == 0)
        #expect(heard.account.missing == 0 && heard.account.doubled == 0)
        #expect(heard.account.frames > 9 * 48_000)
        #expect(try #require(heard.delays.max()) < .milliseconds(1))
        // The encode that no viewer uses any more is stopped.
        #expect(world.host.soundWanted.last == [.system: SoundDemand(encodes: [.pcm])])
        let statistics = world.viewer.session.statistics
        #expect(statistics.sound.packets == heard.packets.count && statistics.sound.lost == 0)
        #expect(statistics.drops.isEmpty, "\(statistics.drops)")
        let viewer = try #require(world.host.host.statistics.viewers.first)
        #expect(viewer.sound.map(\.encode) == [.pcm] && viewer.sound[0].packets == heard.packets.count)
        #expect(world.viewer.broken == 0 && world.viewer.frames > 550)
    }

    @Test("it costs no round trip: the picture is there as soon as without it")
    func roundTrips() throws {
        let far = LinkConditions(delay: .milliseconds(40))
        var with = Self.world(far, sound: [.system, .microphone])
        var without = SessionWorld(far)
        try with.run(.seconds(2))
        try without.run(.seconds(2))
        let shown = try #require(with.viewer.firstFrameAt)
        #expect(shown <= (try #require(without.viewer.firstFrameAt)) + .milliseconds(5))
        let first = try #require(Self.heard(with).packets.first)
        #expect(first.arrival <= shown + .milliseconds(10))
    }

    @Test("the host's clock is told soon, and truly: at a pace at which it stays known")
    func clock() throws {
        var world = Self.world(LinkConditions(delay: .milliseconds(30)))
        try world.run(.seconds(6))
        let heard = Self.heard(world)
        let first = try #require(heard.packets.first).arrival
        #expect(try #require(heard.clocks.first).at <= first)
        #expect((6...9).contains(heard.clocks.count))
        // Timestamps are extended from 32 bits: they pass 2^32 after two seconds.
        let base =
            try #require(heard.packets.first.flatMap { TestSound.mark($0.payload)?.mediaTime })
            - (try #require(heard.packets.first?.mediaTime))
        for (clock, _) in heard.clocks {
            let off = clock.captured - TestSound.captured(clock.mediaTime + base)
            #expect(abs(off.nanoseconds) < 100_000, "\(off)")
        }
    }

    @Test("system and microphone are two streams, each with its own key, number and time (row 159)")
    func twoOrigins() throws {
        var world = Self.world(sound: [.system, .microphone])
        try world.run(.seconds(8))
        #expect(world.viewer.session.soundOrigins == [.system, .microphone])
        for origin in SoundOrigin.allCases {
            let heard = Self.heard(world, origin)
            #expect(heard.account.frames > 7 * 48_000 && heard.account.missing == 0 && heard.wrong == 0)
        }
        #expect(world.host.soundWanted.last?.count == 2)
    }

    @Test(
        "a host without sound, a viewer without, and none whose codecs meet: all else is as ever",
        arguments: [(Set<SoundOrigin>(), both), (Set([SoundOrigin.system]), [SoundCodec]())])
    func none(sound: Set<SoundOrigin>, takes: [SoundCodec]) throws {
        var world = Self.world(takes: takes, sound: sound)
        try world.run(.milliseconds(500))
        world.viewer.listen(false, now: world.now)
        world.viewer.listen(true, now: world.now)
        try world.run(.milliseconds(1500))
        #expect(world.viewer.isPlaying && world.viewer.frames > 100 && world.viewer.heard.isEmpty)
        #expect(world.host.soundWanted.isEmpty && world.viewer.session.soundOrigins.isEmpty)
        #expect(world.viewer.ended == nil)
    }

    @Test("who takes one codec alone gets that one", arguments: both)
    func oneCodec(codec: SoundCodec) throws {
        var world = Self.world(takes: [codec])
        try world.run(.seconds(6))
        let heard = Self.heard(world)
        #expect(heard.codecs == [codec] && heard.account.missing == 0 && heard.account.frames > 5 * 48_000)
    }

    @Test("muted, nothing is sent and nothing captured; it goes on where it is wanted again")
    func mute() throws {
        var world = Self.world()
        try world.run(.seconds(2))
        world.viewer.listen(false, now: world.now)
        try world.run(.milliseconds(100))
        let count = Self.heard(world).packets.count
        // Capture ends with a delay, so that a guest's alternating messages don't start and stop it each time.
        let changes = world.host.soundWanted.count
        for wish in [true, false, true, false] {
            world.viewer.listen(wish, now: world.now)
            try world.run(.milliseconds(200))
        }
        #expect(world.host.soundWanted.dropFirst(changes).allSatisfy { !$0.isEmpty })
        let muted = Self.heard(world).packets.count
        try world.run(.seconds(2))
        #expect(Self.heard(world).packets.count == muted)
        #expect(world.host.soundWanted.last == [:])
        world.viewer.listen(true, now: world.now)
        try world.run(.seconds(1))
        let later = Self.heard(world).packets.dropFirst(count)
        #expect(later.count > 150 && later.count < 350 && later.first?.beginsTalk == true)
        #expect(later.suffix(150).allSatisfy { !$0.beginsTalk })
        #expect(Self.heard(world).wrong == 0 && Self.heard(world).twice == 0)
        // After changes faster than the host's answers, the last one applies.
        for wish in [false, true, false, true, false] { world.viewer.listen(wish, now: world.now) }
        try world.run(.milliseconds(1200))
        #expect(world.host.soundWanted.last == [:])
        #expect(world.viewer.ended == nil && world.viewer.frames > 250)
    }

    @Test("who comes muted has nothing captured at all")
    func mutedFromTheStart() throws {
        var world = Self.world(LinkConditions(delay: .milliseconds(10)))
        world.viewer.listen(false, now: world.now)
        try world.run(.seconds(1))
        #expect(world.viewer.frames > 30 && world.host.soundWanted.isEmpty && world.viewer.heard.isEmpty)
        world.viewer.listen(true, now: world.now)
        try world.run(.seconds(1))
        #expect(Self.heard(world).account.frames > 40_000)
    }

    @Test("paused, nothing is sent and nothing captured; both go on")
    func pause() throws {
        var world = Self.world()
        try world.run(.seconds(2))
        world.viewer.setPaused(true, now: world.now)
        try world.run(.seconds(2))
        #expect(world.host.soundWanted.last == [:])
        let count = Self.heard(world).packets.count
        world.viewer.setPaused(false, now: world.now)
        try world.run(.seconds(1))
        #expect(Self.heard(world).packets.count > count + 150 && Self.heard(world).wrong == 0)
        world.viewer.leave(now: world.now)
        try world.run(.milliseconds(100))
        #expect(world.host.soundWanted.last == [:])
        #expect(world.host.host.held.values.allSatisfy { $0 == 0 })
    }

    @Test(
        "losses are mended by what later packets repeat: what stays missing is far less",
        arguments: [(0.01, 0.0005), (0.05, 0.003), (0.1, 0.01), (0.2, 0.03)])
    func loss(share: Double, missing: Double) throws {
        for seed in UInt64(1)...3 {
            var world = Self.world(.lossy(share), seed: seed)
            try world.run(.seconds(5))
            world.viewer.heard = [:]
            try world.run(.seconds(20))
            let heard = Self.heard(world)
            #expect(heard.wrong == 0 && heard.twice == 0)
            #expect(heard.packets.contains { $0.isRedundant })
            let account = heard.account
            #expect(account.frames > 19 * 48_000, "seed \(seed)")
            let left = Double(account.missing) / Double(account.frames)
            #expect(left < missing, "seed \(seed): \(left)")
            let statistics = world.viewer.session.statistics.sound
            #expect(Double(statistics.repeated) > Double(statistics.lost) * 0.5)
            #expect(world.viewer.broken == 0)
        }
    }

    @Test("packets that are lost in a row are mended by what is repeated from before them")
    func lossInRows() throws {
        for seed in UInt64(1)...3 {
            // A loss of 2 %, in bursts of six packets on average.
            var world = Self.world(
                LinkConditions(
                    loss: .bursts(entering: 0.0034, leaving: 1.0 / 6, lossInBurst: 1), delay: .milliseconds(5),
                    jitter: .milliseconds(1)), seed: seed)
            try world.run(.seconds(15))
            world.viewer.heard = [:]
            try world.run(.seconds(40))
            let heard = Self.heard(world)
            #expect(heard.wrong == 0 && heard.twice == 0)
            let account = heard.account
            #expect(account.frames > 38 * 48_000, "seed \(seed)")
            // Redundancy of only the preceding packets would leave two thirds of the lost ones missing.
            let left = Double(account.missing) / Double(account.frames)
            #expect(left < 0.006, "seed \(seed): \(left)")
        }
    }

    @Test("what was lost before a silence is not sent again after it")
    func silences() throws {
        var world = Self.world(.lossy(0.1))
        try world.run(.seconds(5))
        #expect(Self.heard(world).packets.contains { $0.isRedundant })
        // A packet every tenth of a second.
        world.host.sounds[0].spacing = 4800
        try world.run(.seconds(1))
        world.viewer.heard = [:]
        try world.run(.seconds(20))
        let heard = Self.heard(world)
        #expect(heard.packets.count > 150 && !heard.packets.contains { $0.isRedundant })
    }

    @Test("once nothing is lost any more nothing is repeated, and samples come again")
    func lossEnds() throws {
        var world = Self.world(.lossy(0.05))
        try world.run(.seconds(8))
        #expect(try #require(world.host.host.statistics.viewers.first?.sound.first).repeats > 0)
        world.stepper.network.aToB.conditions = .lan
        world.stepper.network.bToA.conditions = .lan
        try world.run(.seconds(70))
        let sound = try #require(world.host.host.statistics.viewers.first?.sound.first)
        #expect(sound.repeats == 0 && sound.encode == .pcm)
        world.viewer.heard = [:]
        try world.run(.seconds(2))
        #expect(Self.heard(world).account.missing == 0)
    }

    @Test("on a narrow path it comes in time, ahead of the picture's queue, and all together keep to the path")
    func narrow() throws {
        var world = Self.world(LinkConditions(delay: .milliseconds(20), rate: .kilobits(300), queueBytes: 16_000))
        try world.run(.seconds(10))
        world.viewer.heard = [:]
        var bytes = 0
        world.host.tap = { _, datagram in bytes += datagram.count }
        try world.run(.seconds(20))
        let heard = Self.heard(world)
        #expect(try #require(world.host.host.statistics.viewers.first?.sound.first).encode == .thinOpus)
        let delays = heard.delays.sorted()
        #expect(delays[delays.count / 2] < .milliseconds(80), "\(delays[delays.count / 2])")
        #expect(delays[delays.count * 95 / 100] < .milliseconds(250), "\(delays[delays.count * 95 / 100])")
        #expect(Double(heard.account.missing) < Double(heard.account.frames) * 0.02)
        #expect(Double(bytes) * 8 / 20 < 330_000, "\(bytes * 8 / 20)")
        #expect(world.viewer.frames > 20)
    }

    @Test("a packet of sound leaves at once, and not behind the picture that waits")
    func aheadOfPicture() throws {
        var world = Self.world(LinkConditions(delay: .milliseconds(5), rate: .megabits(2)))
        try world.run(.seconds(6))
        var order: [Bool] = []
        let sound = try #require(world.host.host.statistics.viewers.first)
        #expect(!sound.sound.isEmpty)
        world.host.tap = { _, bytes in
            guard !RTCPPacket.isRTCP(bytes.span.bytes) else { return }
            order.append(StreamOffer.soundCodec(PayloadType(bytes[1])) != nil || bytes[1] & 0x7F == 103)
        }
        // A keyframe of about 14 kB is sent within about 50 ms.
        world.viewer.setPaused(true, now: world.now)
        try world.run(.milliseconds(50))
        world.viewer.setPaused(false, now: world.now)
        try world.run(.milliseconds(200))
        let picture = order.indices.filter { !order[$0] }.prefix(12)
        let first = try #require(picture.first)
        let last = try #require(picture.last)
        #expect(picture.count == 12 && order[first...last].count { $0 } >= 4, "\(order)")
    }

    @Test(
        "each scope of a suite protects what it names: sound alone, picture alone, or both",
        arguments: [SuiteScope.video, .audio, .all, .command])
    func scopes(scope: SuiteScope) throws {
        let suite = SuiteSessionTests.suite
        var world = Self.world(
            hostSuite: try .test(suite, scope: scope, masksKeys: true), viewerSuite: try .test(suite, masksKeys: true))
        var shapes: [Bool] = []
        world.host.tap = { tag, bytes in
            guard tag == HostPeer.mediaTag, bytes.count > 16, !RTCPPacket.isRTCP(bytes.span.bytes),
                (101...103).contains(bytes[1] & 0x7F)
            else { return }
            // A header of 12 bytes, an extension of 8, and an AES-GCM tag of 16; or else whole blocks with IV and tag.
            let payload = bytes[1] & 0x7F == 102 ? 960 : 80
            let isPlain = bytes.count == 20 + payload + 16
            if !isPlain {
                #expect(bytes.count == 20 + (payload / 16 + 1) * 16 + 16 + suite.integrity.tagLength)
            }
            shapes.append(!isPlain)
        }
        try world.run(.seconds(3))
        #expect(world.viewer.agreements == [.on(suite, scope: scope, masksKeys: true)])
        #expect(Self.heard(world).account.frames > 2 * 48_000 && Self.heard(world).wrong == 0)
        #expect(shapes.count > 300 && Set(shapes) == [scope.contains(.audio)])
        #expect(world.viewer.session.statistics.drops.isEmpty)
    }
}
