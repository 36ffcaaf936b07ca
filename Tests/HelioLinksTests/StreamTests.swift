import HelioCore
import HelioLinks
import HelioSimulation
import Testing

@Suite("A bundle's stream")
struct StreamTests {
    @Test(
        "megabytes over a link that loses 10 % arrive whole and in order, both ways", arguments: [1, 2, 3] as [UInt64])
    func lossy(seed: UInt64) throws {
        var world = try BundleWorld(seed: seed)
        world.add(BundleWorld.direct, LinkConditions(loss: .random(0.1), delay: .milliseconds(8), reorder: 0.01))
        world.viewer.outbox = BundleWorld.bytes(1_000_000, seed: seed)
        world.host.outbox = BundleWorld.bytes(3_000_000, seed: seed + 100)
        let isDone = try world.run(atMost: .seconds(600)) {
            $0.host.stream.count >= 1_000_000 && $0.viewer.stream.count >= 3_000_000
        }
        #expect(isDone, "\(world.host.stream.count) and \(world.viewer.stream.count) bytes after \(world.now)")
        #expect(world.host.stream == world.viewer.outbox && world.viewer.stream == world.host.outbox)
    }

    @Test("what waits is bounded, and more than there is room for ends the bundle clearly")
    func room() throws {
        var world = try BundleWorld()
        try world.run(.milliseconds(10))
        #expect(world.viewer.room == 256 * 1024)
        world.viewer.outbox = BundleWorld.bytes(1_000_000, seed: 1)
        try world.run(.milliseconds(10))
        #expect(world.viewer.room == 0 && !world.viewer.hasGivenAll)
        world.add(BundleWorld.direct, LinkConditions(delay: .milliseconds(5)))
        let isDone = try world.run(atMost: .seconds(60)) { $0.host.stream.count >= 1_000_000 }
        #expect(isDone && world.host.stream == world.viewer.outbox)
        world.viewer.bundle.handle(.stream(BundleWorld.bytes(2_000_000, seed: 2)), now: world.now)
        try world.run(.seconds(1))
        #expect(world.viewer.end == .streamFailed && world.host.end == .endedByPeer)
    }

    @Test("many small pieces cost no more than large ones")
    func smallPieces() throws {
        var world = try BundleWorld()
        try world.run(.milliseconds(10))
        var all: [UInt8] = []
        for number in 0..<60_000 {
            let piece = [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8), 7]
            all += piece
            world.viewer.bundle.handle(.stream(piece), now: world.now)
        }
        world.add(BundleWorld.direct, LinkConditions(delay: .milliseconds(5)))
        let isDone = try world.run(atMost: .seconds(60)) { $0.host.stream.count >= all.count }
        #expect(isDone && world.host.stream == all)
    }

    @Test("a held stream waits, and comes whole when it is released or ended")
    func held() throws {
        var world = try BundleWorld()
        world.add(BundleWorld.direct, LinkConditions(delay: .milliseconds(5)))
        try world.run(.seconds(1))
        world.host.bundle.handle(.holdStream(true), now: world.now)
        world.viewer.outbox = BundleWorld.bytes(50_000, seed: 1)
        try world.run(.seconds(1))
        #expect(world.host.stream.isEmpty)
        world.viewer.bundle.handle(.end, now: world.now)
        try world.run(.seconds(3))
        #expect(world.host.stream == world.viewer.outbox)
        #expect(world.viewer.end == .endedHere && world.host.end == .endedByPeer)
    }

    @Test("after seconds without any link the stream goes on at once")
    func returns() throws {
        var world = try BundleWorld()
        world.add(BundleWorld.direct, LinkConditions(delay: .milliseconds(5)))
        try world.run(.seconds(1))
        world.setDead(BundleWorld.direct, true)
        world.viewer.outbox = BundleWorld.bytes(5000, seed: 1)
        world.host.outbox = BundleWorld.bytes(5000, seed: 2)
        try world.run(.seconds(9))
        #expect(world.viewer.activeMedia == nil && world.host.activeMedia == nil)
        world.setDead(BundleWorld.direct, false)
        let start = world.now
        let isDone = try world.run(atMost: .seconds(10)) {
            $0.host.stream.count == 5000 && $0.viewer.stream.count == 5000
        }
        // A silent link is asked every 200 ms.
        #expect(isDone && world.now - start < .milliseconds(500), "\((world.now - start).milliseconds) ms")
    }

    @Test("an end with data under way delivers it, and both ends learn of the end", arguments: 0..<20 as Range<UInt64>)
    func ends(seed: UInt64) throws {
        var world = try BundleWorld(seed: seed)
        world.add(BundleWorld.direct, LinkConditions(loss: .random(0.05), delay: .milliseconds(5)))
        world.add(BundleWorld.rendezvous, LinkConditions(delay: .milliseconds(20)))
        try world.run(.seconds(1))
        world.viewer.outbox = BundleWorld.bytes(20_000, seed: seed)
        world.host.outbox = BundleWorld.bytes(10_000, seed: seed + 1)
        let isGiven = try world.run(atMost: .seconds(5)) { $0.viewer.hasGivenAll && $0.host.hasGivenAll }
        #expect(isGiven)
        if seed % 2 == 0 {
            world.viewer.bundle.handle(.end, now: world.now)
        } else {
            world.host.bundle.handle(.end, now: world.now)
        }
        try world.run(.seconds(5))
        let ends = seed % 2 == 0 ? (world.viewer.end, world.host.end) : (world.host.end, world.viewer.end)
        #expect(ends.0 == .endedHere && ends.1 == .endedByPeer, "seed \(seed)")
        #expect(world.host.stream == world.viewer.outbox, "seed \(seed)")
        #expect(world.viewer.stream == world.host.outbox, "seed \(seed)")
        #expect(world.viewer.outputsAfterEnd == 0 && world.host.outputsAfterEnd == 0)
    }

    @Test("an end without a link, an end of both, and a peer that missed the end")
    func otherEnds() throws {
        var alone = try BundleWorld()
        alone.viewer.bundle.handle(.end, now: alone.now)
        try alone.run(.seconds(3))
        #expect(alone.viewer.end == .endedHere)

        var both = try BundleWorld()
        both.add(BundleWorld.direct, LinkConditions(delay: .milliseconds(5)))
        try both.run(.seconds(1))
        both.viewer.bundle.handle(.end, now: both.now)
        both.host.bundle.handle(.end, now: both.now)
        try both.run(.seconds(3))
        #expect(both.viewer.end == .endedHere && both.host.end != nil)

        var missed = try BundleWorld()
        missed.add(BundleWorld.direct, LinkConditions(delay: .milliseconds(5)))
        try missed.run(.seconds(1))
        missed.setDead(BundleWorld.direct, true)
        missed.viewer.bundle.handle(.end, now: missed.now)
        try missed.run(.seconds(5))
        #expect(missed.viewer.end == .endedHere && missed.host.end == nil)
        missed.setDead(BundleWorld.direct, false)
        try missed.run(.seconds(2))
        #expect(missed.host.end == .endedByPeer)
    }

    @Test("a bundle without any link ends after its patience")
    func patience() throws {
        var world = try BundleWorld()
        world.add(BundleWorld.direct, LinkConditions(delay: .milliseconds(5)))
        try world.run(.seconds(1))
        world.setDead(BundleWorld.direct, true)
        try world.run(.seconds(110))
        #expect(world.viewer.end == nil && world.host.end == nil)
        try world.run(.seconds(20))
        #expect(world.viewer.end == .lost && world.host.end == .lost)
        #expect(world.viewer.bundle.deadline == nil)
    }
}
