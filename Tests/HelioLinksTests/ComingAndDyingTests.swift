import HelioCore
import HelioLinks
import HelioSimulation
import HelioTestLanes
import Testing

@Suite("Links that come and die in any order")
struct ComingAndDyingTests {
    @Test(
        "no stream byte and no control event is lost, and a change costs little media",
        arguments: 0..<8 as Range<UInt64>)
    func some(part: UInt64) throws {
        for seed in stride(from: part, to: 200, by: 8) { try Self.run(seed: seed) }
    }

    @Test("the same in 10,000 runs", .tags(.nightly), arguments: 0..<8 as Range<UInt64>)
    func many(part: UInt64) throws {
        for seed in stride(from: part, to: 10_000, by: 8) { try Self.run(seed: seed) }
    }

    /// A kind of run, by its seed.
    private struct Plan {
        /// True if the rendezvous link lives all the time, so that no control may be lost.
        let hasStable: Bool
        /// True if at most one link dies at a time, so that the loss of media is bounded.
        let isOneByOne: Bool
        let loss: LossModel

        init(_ seed: UInt64) {
            hasStable = seed % 4 < 2
            isOneByOne = seed % 4 == 0
            loss = seed % 4 == 2 ? .random(0.05) : .none
        }
    }

    /// The life of one link in a run.
    private struct Life {
        let id: LinkID
        var isKnownToViewer: Bool
        var isKnownToHost: Bool
        var isDead = false
        /// The time from which the next change is allowed. Shorter interruptions are loss, not deaths.
        var rests = Instant.zero
    }

    private static let step = Duration.milliseconds(30)

    static func run(seed: UInt64) throws {
        let plan = Plan(seed)
        var generator = SeededGenerator(seed: seed &* 77 &+ 5)
        var world = try BundleWorld(seed: seed)
        func conditions(_ range: ClosedRange<Int64>) -> LinkConditions {
            LinkConditions(loss: plan.loss, delay: .milliseconds(Int64.random(in: range, using: &generator)))
        }
        world.add(BundleWorld.rendezvous, conditions(10...25))
        let early = Bool.random(using: &generator)
        world.add(BundleWorld.direct, conditions(2...10), isUp: early)
        world.add(BundleWorld.relayed, conditions(5...18), isUp: !early)
        try world.run(.milliseconds(350))

        var lives = [
            Life(id: BundleWorld.direct, isKnownToViewer: early, isKnownToHost: early),
            Life(id: BundleWorld.relayed, isKnownToViewer: !early, isKnownToHost: !early),
        ]
        if !plan.hasStable {
            lives.append(Life(id: BundleWorld.rendezvous, isKnownToViewer: true, isKnownToHost: true))
        }
        var count: UInt32 = 0
        for _ in 0..<55 {
            let order = lives.indices.filter { _ in UInt8.random(in: 0..<12, using: &generator) == 0 }
            for index in order { change(index, of: &lives, in: &world, plan, using: &generator) }
            world.viewer.outbox += BundleWorld.bytes(300, seed: seed &+ UInt64(count))
            world.host.outbox += BundleWorld.bytes(600, seed: seed &+ UInt64(count) &+ 1000)
            world.host.bundle.handle(.send(.media, BundleEnd.datagram(count, size: 100)), now: world.now)
            world.sendControl(count)
            count += 1
            try world.run(step)
        }
        // What died last stays dead for long enough to be noticed.
        try world.run(.milliseconds(330))
        for index in lives.indices { revive(index, of: &lives, in: &world) }
        try check(&world, plan, count: count, seed: seed)
    }

    private static func check(_ world: inout BundleWorld, _ plan: Plan, count: UInt32, seed: UInt64) throws {
        let (toHost, toViewer) = (world.viewer.outbox.count, world.host.outbox.count)
        let isDone = try world.run(atMost: .seconds(20)) {
            $0.host.stream.count >= toHost && $0.viewer.stream.count >= toViewer
        }
        #expect(isDone, "seed \(seed): \(world.host.stream.count) of \(toHost), \(world.viewer.stream.count)")
        #expect(world.host.stream == world.viewer.outbox, "seed \(seed): to the host")
        #expect(world.viewer.stream == world.host.outbox, "seed \(seed): to the viewer")
        try world.run(.milliseconds(500))
        if plan.hasStable {
            for number in 0..<count {
                #expect(world.viewer.control[number] != nil, "seed \(seed): control \(number) to the viewer")
                #expect(world.host.control[number] != nil, "seed \(seed): control \(number) to the host")
            }
        }
        if plan.isOneByOne {
            var gap = 0
            for number in 0..<count {
                gap = world.viewer.media[number] == nil ? gap + 1 : 0
                #expect(step * gap <= .milliseconds(210), "seed \(seed): media \(number)")
            }
        }
        if seed % 40 < 4, plan.loss == .none {
            for _ in 0..<100 where world.active != BundleWorld.direct { try world.run(.milliseconds(100)) }
            #expect(world.active == BundleWorld.direct, "seed \(seed): not back on the direct link")
        }
        #expect(world.viewer.end == nil && world.host.end == nil, "seed \(seed)")
    }

    /// Has a link die silently, come back, or be announced or withdrawn at one end or both.
    private static func change(
        _ index: Int, of lives: inout [Life], in world: inout BundleWorld, _ plan: Plan,
        using generator: inout SeededGenerator
    ) {
        let now = world.now
        guard lives[index].rests <= now else { return }
        if plan.isOneByOne {
            for other in lives.indices { lives[other].rests = max(lives[other].rests, now + .milliseconds(900)) }
        }
        let id = lives[index].id
        let isWhole = lives[index].isKnownToViewer && lives[index].isKnownToHost && !lives[index].isDead
        lives[index].rests = now + .milliseconds(plan.isOneByOne ? 900 : 330)
        guard isWhole else { return revive(index, of: &lives, in: &world) }
        switch UInt8.random(in: 0..<4, using: &generator) {
        case 0:
            lives[index].isKnownToViewer = false
            world.viewer.bundle.handle(.down(id), now: now)
        case 1:
            lives[index].isKnownToHost = false
            world.host.bundle.handle(.down(id), now: now)
        default:
            lives[index].isDead = true
            world.setDead(id, true)
        }
    }

    private static func revive(_ index: Int, of lives: inout [Life], in world: inout BundleWorld) {
        let id = lives[index].id
        if lives[index].isDead { world.setDead(id, false) }
        if !lives[index].isKnownToViewer { world.viewer.bundle.handle(.up(id, BundleWorld.traits(id)), now: world.now) }
        if !lives[index].isKnownToHost { world.host.bundle.handle(.up(id, BundleWorld.traits(id)), now: world.now) }
        lives[index].isDead = false
        lives[index].isKnownToViewer = true
        lives[index].isKnownToHost = true
    }
}
