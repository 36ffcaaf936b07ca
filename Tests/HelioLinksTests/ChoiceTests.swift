import HelioCore
import HelioLinks
import HelioProtection
import HelioSimulation
import Testing

@Suite("The choice of links")
struct ChoiceTests {
    static let quick = LinkConditions(delay: .milliseconds(5))
    static let slower = LinkConditions(delay: .milliseconds(15))

    private func twoLinks(seed: UInt64 = 1) throws -> BundleWorld {
        var world = try BundleWorld(seed: seed)
        world.add(BundleWorld.direct, Self.quick)
        world.add(BundleWorld.rendezvous, Self.slower)
        try world.run(.seconds(1))
        return world
    }

    @Test("media and control pass as they are on the best link, which is used once it has answered twice")
    func passes() throws {
        var world = try BundleWorld()
        world.add(BundleWorld.direct, Self.quick)
        world.add(BundleWorld.rendezvous, Self.slower)
        // Two round trips of 10 ms, and the way to the host.
        try world.run(.milliseconds(26))
        #expect(world.active == BundleWorld.direct)
        let count = try world.runBusy(.seconds(1))
        try world.run(.milliseconds(50))
        #expect(world.viewer.media.count == Int(count) && world.viewer.control.count == Int(count))
        #expect(world.host.control.count == Int(count) && world.host.media.isEmpty)
        #expect(world.viewer.bundle.statistics.drops.isEmpty && world.host.bundle.statistics.drops.isEmpty)
        #expect(world.viewer.bundle.statistics.links[BundleWorld.direct]?.loss == 0)
        let roundTrip = world.viewer.bundle.statistics.links[BundleWorld.direct]?.roundTrip
        #expect(roundTrip == .milliseconds(10))
        #expect(world.viewer.bundle.statistics.links[BundleWorld.rendezvous]?.roundTrip == .milliseconds(30))
    }

    @Test("a link that falls silent is down within a bounded time, costs little media, and is used again")
    func silence() throws {
        var world = try twoLinks()
        #expect(world.active == BundleWorld.direct)
        var count = try world.runBusy(.seconds(1))
        world.setDead(BundleWorld.direct, true)
        let died = world.now
        count = try world.runBusy(.milliseconds(800), first: count)
        #expect(world.active == BundleWorld.rendezvous)
        #expect(world.viewer.state(of: BundleWorld.direct) == .silent)
        let silentAt = world.viewer.events.last { $0.event == .silent(BundleWorld.direct) }?.at
        #expect(silentAt.map { $0 - died < .milliseconds(700) } == true)
        world.setDead(BundleWorld.direct, false)
        let revived = world.now
        let isBack = try world.run(atMost: .seconds(10)) { $0.active == BundleWorld.direct }
        // The first time, a link is held for a second once it answers.
        #expect(isBack && world.now - revived < .seconds(2))
        count = try world.runBusy(.seconds(1), first: count)
        try world.run(.milliseconds(100))
        #expect(world.viewer.control.count == Int(count) && world.host.control.count == Int(count))
        // The media of 200 ms, one datagram in 10 ms.
        #expect(Int(count) - world.viewer.media.count <= 20, "\(Int(count) - world.viewer.media.count) lost")
    }

    @Test("a link that is announced as gone is left at once, at either end", arguments: [true, false])
    func announced(isViewer: Bool) throws {
        var world = try twoLinks()
        var count = try world.runBusy(.seconds(1))
        if isViewer {
            world.viewer.bundle.handle(.down(BundleWorld.direct), now: world.now)
        } else {
            world.host.bundle.handle(.down(BundleWorld.direct), now: world.now)
        }
        count = try world.runBusy(.seconds(1), first: count)
        #expect(world.active == BundleWorld.rendezvous)
        try world.run(.milliseconds(100))
        #expect(world.viewer.control.count == Int(count) && world.host.control.count == Int(count))
        #expect(Int(count) - world.viewer.media.count <= 20)
    }

    @Test("a link that comes and goes is not followed each time, and is used within ten seconds of its last return")
    func flapping() throws {
        var world = try twoLinks()
        for _ in 0..<20 {
            world.setDead(BundleWorld.direct, true)
            try world.run(.milliseconds(900))
            world.setDead(BundleWorld.direct, false)
            try world.run(.milliseconds(1100))
        }
        // At first 1 s of hold, then 2, 4 and 8: later returns are too short to be used.
        #expect(world.viewer.bundle.statistics.changes < 12, "\(world.viewer.bundle.statistics.changes)")
        #expect(world.active == BundleWorld.rendezvous)
        let start = world.now
        let isBack = try world.run(atMost: .seconds(10)) { $0.active == BundleWorld.direct }
        #expect(isBack, "\((world.now - start).milliseconds) ms")
    }

    @Test("a direct link that loses much gives way to a clean relayed one, without going to and fro")
    func loss() throws {
        var world = try BundleWorld()
        world.add(BundleWorld.direct, LinkConditions(loss: .random(0.12), delay: .milliseconds(5)))
        world.add(BundleWorld.relayed, Self.slower)
        try world.run(.seconds(1))
        _ = try world.runBusy(.seconds(60), every: .milliseconds(20))
        #expect(world.viewer.activeMedia == BundleWorld.relayed && world.host.activeMedia == BundleWorld.relayed)
        #expect(world.viewer.bundle.statistics.changes <= 8, "\(world.viewer.bundle.statistics.changes)")
    }

    @Test("a change from relayed to direct by the driver counts at once")
    func changes() throws {
        var world = try BundleWorld()
        world.add(BundleWorld.direct, Self.quick)
        world.add(BundleWorld.relayed, Self.quick)
        try world.run(.seconds(1))
        world.viewer.bundle.handle(.changed(BundleWorld.direct, LinkTraits(kind: .rendezvous)), now: world.now)
        try world.run(.seconds(1))
        #expect(world.active == BundleWorld.relayed)
        world.viewer.bundle.handle(.changed(BundleWorld.relayed, LinkTraits(kind: .direct)), now: world.now)
        world.viewer.bundle.handle(.changed(BundleWorld.direct, LinkTraits(kind: .direct)), now: world.now)
        try world.run(.seconds(1))
        #expect(world.active == BundleWorld.relayed)
    }

    @Test("control beside a lossy link is as quick as on a clean narrow one alone, and whole")
    func controlBesideLoss() throws {
        let clean = LinkConditions(delay: .milliseconds(20))
        var alone = try BundleWorld()
        alone.add(BundleWorld.narrow, clean)
        let reference = try Self.latencies(&alone)
        for seed in UInt64(1)...8 {
            for loss in [0.05, 0.1, 0.3] {
                var world = try BundleWorld(seed: seed)
                world.add(BundleWorld.direct, LinkConditions(loss: .random(loss), delay: .milliseconds(5)))
                world.add(BundleWorld.narrow, clean)
                let measured = try Self.latencies(&world)
                #expect(measured.count >= reference.count * 99 / 100, "seed \(seed), loss \(loss)")
                let (ours, theirs) = (Self.p95(measured), Self.p95(reference))
                #expect(ours <= theirs + .milliseconds(1), "seed \(seed), loss \(loss): \(ours), not \(theirs)")
                // The narrow link has no room for pictures. A link that loses 30 % may have fallen silent.
                let media = world.viewer.activeMedia
                #expect(loss > 0.2 || media == BundleWorld.direct, "seed \(seed), loss \(loss)")
            }
        }
    }

    /// The latencies of the viewer's control during ten seconds, after five in which the loss is measured.
    private static func latencies(_ world: inout BundleWorld) throws -> [Duration] {
        let first = try world.runBusy(.seconds(5), every: .milliseconds(20))
        let start = world.now
        let end = try world.runBusy(.seconds(10), every: .milliseconds(20), first: first)
        try world.run(.seconds(1))
        return (first..<end).compactMap { number in
            world.host.control[number].map { $0 - (start + .milliseconds(20) * Int(number - first)) }
        }
    }

    private static func p95(_ latencies: [Duration]) -> Duration {
        let sorted = latencies.sorted()
        return sorted.isEmpty ? .seconds(1000) : sorted[min(sorted.count * 95 / 100, sorted.count - 1)]
    }

    @Test("a narrow link carries control first, and drops what media is beyond its width, by name")
    func width() throws {
        var world = try BundleWorld()
        world.add(BundleWorld.narrow, LinkConditions(delay: .milliseconds(10)))
        try world.run(.seconds(1))
        world.viewer.outbox = BundleWorld.bytes(20_000, seed: 1)
        world.host.outbox = BundleWorld.bytes(20_000, seed: 2)
        let start = world.now
        // 2 Mbit/s of media on 1 Mbit/s.
        let count = try world.runBusy(.seconds(4), every: .milliseconds(4), mediaSize: 1000)
        #expect(world.host.stream == world.viewer.outbox && world.viewer.stream == world.host.outbox)
        try world.run(.seconds(1))
        #expect(world.host.drops(.mediaBeyondWidth) > 300)
        #expect(world.host.drops(.controlBeyondWidth) == 0)
        #expect(world.viewer.control.count == Int(count))
        // 48 bytes of control in 4 ms are a tenth of the width; probes and the stream take a little too.
        #expect(world.viewer.media.count > 300)
        let worst = (0..<count).compactMap { number in
            world.viewer.control[number].map { $0 - (start + .milliseconds(4) * Int(number)) }
        }.max()
        // One media datagram and the burst of the stream may be ahead.
        #expect(worst.map { $0 < .milliseconds(60) } == true, "\(String(describing: worst))")
    }

    @Test("a link that is declared more often than there may be is refused, and so is an unknown one's change")
    func limits() throws {
        var world = try BundleWorld()
        for number in UInt8(0)..<20 {
            world.viewer.bundle.handle(.up(LinkID(number), LinkTraits(kind: .relayed)), now: world.now)
        }
        #expect(world.viewer.bundle.statistics.links.count == 16 && world.viewer.drops(.refusedLink) == 4)
        world.viewer.bundle.handle(.changed(LinkID(99), LinkTraits(kind: .direct)), now: world.now)
        world.viewer.bundle.handle(.down(LinkID(98)), now: world.now)
        #expect(world.viewer.drops(.refusedLink) == 6)
        world.viewer.bundle.handle(.send(.media, [1, 2, 3]), now: world.now)
        world.viewer.bundle.handle(.send(.media, []), now: world.now)
        world.viewer.bundle.handle(.send(.media, [UInt8](repeating: 1, count: 5000)), now: world.now)
        #expect(world.viewer.drops(.noLink) == 1 && world.viewer.drops(.truncated) == 1)
        #expect(world.viewer.drops(.tooLong) == 1)
    }

    @Test("a secret of another length is refused")
    func secretLength() {
        #expect(throws: CryptoError.badLength(16)) {
            _ = try BundleEnd(.viewer, seed: 1, secret: SecretBytes([UInt8](repeating: 1, count: 16)))
        }
    }

    @Test("a machine that slept finds its links up, not silent")
    func sleep() throws {
        var world = try twoLinks()
        let events = world.viewer.events.count
        // Nothing runs for a minute: neither ticks nor datagrams.
        let later = world.now + .seconds(60)
        world.viewer.bundle.tick(now: later)
        while world.viewer.poll(later) != nil {}
        #expect(world.viewer.state(of: BundleWorld.direct) == .up)
        #expect(!world.viewer.events.dropFirst(events).contains { $0.event == .silent(BundleWorld.direct) })
    }
}
