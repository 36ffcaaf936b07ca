import HelioCore
import HelioLinks
import HelioProtection
import HelioSimulation
import Testing

@Suite("Attacks on a bundle's links")
struct AttackTests {
    private func world() throws -> BundleWorld {
        var world = try BundleWorld()
        world.add(BundleWorld.direct, LinkConditions(delay: .milliseconds(5)))
        world.add(BundleWorld.rendezvous, LinkConditions(delay: .milliseconds(15)))
        try world.run(.seconds(3))
        return world
    }

    /// Checks that links and stream are as they were.
    private func expectUnmoved(_ world: inout BundleWorld, changes: (Int, Int)) throws {
        world.viewer.outbox += BundleWorld.bytes(3000, seed: 5)
        world.host.outbox += BundleWorld.bytes(3000, seed: 6)
        try world.run(.seconds(1))
        let (viewer, host) = (world.viewer.bundle.statistics, world.host.bundle.statistics)
        #expect(viewer.media == BundleWorld.direct && host.media == BundleWorld.direct)
        #expect(viewer.changes == changes.0 && host.changes == changes.1)
        #expect(world.host.stream == world.viewer.outbox && world.viewer.stream == world.host.outbox)
    }

    private func changes(_ world: borrowing BundleWorld) -> (Int, Int) {
        (world.viewer.bundle.statistics.changes, world.host.bundle.statistics.changes)
    }

    @Test("forged frames of every length are counted drops")
    func forged() throws {
        var world = try world()
        let before = changes(world)
        var generator = SeededGenerator(seed: 1)
        for length in 0..<200 {
            for type: UInt8 in [0xC2, 0xC3] {
                let bytes = [type] + (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
                world.host.bundle.handle(.received(bytes, on: BundleWorld.rendezvous), now: world.now)
                world.viewer.bundle.handle(.received(bytes, on: BundleWorld.rendezvous), now: world.now)
            }
        }
        world.host.bundle.handle(.received([], on: BundleWorld.direct), now: world.now)
        world.host.bundle.handle(.received([0x80, 1, 2], on: BundleWorld.direct), now: world.now)
        world.host.bundle.handle(
            .received([0xC0] + [UInt8](repeating: 0, count: 4000), on: BundleWorld.direct), now: world.now)
        // A header of 9 bytes and a tag of 16 are the least.
        #expect(world.host.drops(.truncated) == 2 * 24 + 1 && world.host.drops(.authenticationFailed) == 2 * 176)
        #expect(world.viewer.drops(.authenticationFailed) == 2 * 176)
        #expect(world.host.drops(.unknownFrame) == 1 && world.host.drops(.tooLong) == 1)
        try expectUnmoved(&world, changes: before)
    }

    @Test("each bit of a frame is authenticated")
    func changed() throws {
        var world = try world()
        let before = changes(world)
        world.stolen = BundleWorld.rendezvous
        try world.run(.milliseconds(250))
        world.stolen = nil
        let frame = try #require(world.frames.first { $0.bytes.first == 0xC3 }).bytes
        for bit in 0..<frame.count * 8 {
            var bytes = frame
            bytes[bit / 8] ^= 1 << (bit % 8)
            world.host.bundle.handle(.received(bytes, on: BundleWorld.rendezvous), now: world.now)
        }
        let drops = world.host.bundle.statistics.drops.values.reduce(0, +)
        // Two changes of the first byte make a media or a control datagram, which the session has to check.
        #expect(drops >= frame.count * 8 - 2)
        try expectUnmoved(&world, changes: before)
    }

    @Test("replayed frames are counted drops on every link")
    func replayed() throws {
        var world = try world()
        world.keepsFrames = true
        world.viewer.outbox = BundleWorld.bytes(3000, seed: 4)
        try world.run(.seconds(1))
        world.keepsFrames = false
        let before = changes(world)
        let sealed = world.frames.filter { [0xC2, 0xC3].contains($0.bytes.first) }
        #expect(sealed.count > 20)
        try world.run(.milliseconds(100))
        for (_, bytes) in sealed {
            world.host.bundle.handle(.received(bytes, on: BundleWorld.direct), now: world.now)
            world.host.bundle.handle(.received(bytes, on: BundleWorld.rendezvous), now: world.now)
        }
        #expect(world.host.drops(.replayed) == 2 * sealed.count)
        try expectUnmoved(&world, changes: before)
    }

    @Test("links that go and come back use no nonce twice, and what was sent before is a replay afterwards")
    func moved() throws {
        var world = try world()
        world.keepsFrames = true
        for id in [BundleWorld.direct, BundleWorld.rendezvous, BundleWorld.direct, BundleWorld.direct] {
            world.viewer.bundle.handle(.down(id), now: world.now)
            world.host.bundle.handle(.down(id), now: world.now)
            world.viewer.outbox += BundleWorld.bytes(2000, seed: UInt64(id.value))
            try world.run(.milliseconds(400))
            world.viewer.bundle.handle(.up(id, BundleWorld.traits(id)), now: world.now)
            world.host.bundle.handle(.up(id, BundleWorld.traits(id)), now: world.now)
            try world.run(.milliseconds(400))
        }
        world.keepsFrames = false
        // A link that has failed three times is held for four seconds.
        try world.run(.seconds(8))
        let sealed = world.frames.filter { [0xC2, 0xC3].contains($0.bytes.first) }
        // Lane and counter make the nonce.
        let nonces = Set(sealed.compactMap { $0.bytes.span.bytes.uint64(at: 1) })
        #expect(sealed.count > 60 && nonces.count == sealed.count)

        let before = changes(world)
        let (replayed, tooOld) = (world.host.drops(.replayed), world.host.drops(.tooOld))
        for (link, bytes) in sealed { world.host.bundle.handle(.received(bytes, on: link), now: world.now) }
        // The host may not have seen those datagrams that were lost with a link.
        let refused = world.host.drops(.replayed) - replayed + world.host.drops(.tooOld) - tooOld
        #expect(refused >= sealed.count - 20, "\(refused) of \(sealed.count)")
        try expectUnmoved(&world, changes: before)
    }

    @Test("an end's own frames, reflected, are counted drops")
    func reflected() throws {
        var world = try world()
        world.keepsFrames = true
        try world.run(.seconds(1))
        world.keepsFrames = false
        let before = changes(world)
        for (link, bytes) in world.frames {
            world.viewer.bundle.handle(.received(bytes, on: link), now: world.now)
        }
        // The peer's frames have counters of their own, so some of these seem to be replayed.
        let drops = world.viewer.drops(.authenticationFailed) + world.viewer.drops(.replayed)
        #expect(world.frames.count > 20 && drops == world.frames.count)
        try expectUnmoved(&world, changes: before)
    }

    @Test("frames of one link on another, and on links that are not there, move nothing")
    func misplaced() throws {
        var world = try world()
        let before = changes(world)
        world.stolen = BundleWorld.direct
        try world.run(.milliseconds(100))
        world.stolen = nil
        let stolen = world.frames
        #expect(!stolen.isEmpty)
        for (_, bytes) in stolen {
            world.host.bundle.handle(.received(bytes, on: LinkID(77)), now: world.now)
            world.host.bundle.handle(.received(bytes, on: BundleWorld.rendezvous), now: world.now)
        }
        #expect(world.host.drops(.unknownLink) == stolen.count && world.host.drops(.wrongLink) == stolen.count)
        try expectUnmoved(&world, changes: before)
    }

    @Test("bundles of different secrets understand nothing of each other")
    func otherSecret() throws {
        var viewer = try BundleEnd(.viewer, seed: 1)
        var host = try BundleEnd(.host, seed: 2, secret: SecretBytes([UInt8](repeating: 9, count: 32)))
        let traits = LinkTraits(kind: .direct)
        viewer.bundle.handle(.up(BundleWorld.direct, traits), now: .zero)
        host.bundle.handle(.up(BundleWorld.direct, traits), now: .zero)
        var count = 0
        for step in 0..<100 {
            let now = Instant.zero + .milliseconds(20) * step
            viewer.bundle.tick(now: now)
            while let (bytes, link) = viewer.poll(now) {
                host.bundle.handle(.received(bytes, on: link), now: now)
                count += 1
            }
        }
        #expect(count > 10 && host.drops(.authenticationFailed) == count)
        #expect(host.state(of: BundleWorld.direct) == .probing && viewer.activeMedia == nil)
    }
}
