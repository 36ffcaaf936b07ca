import HelioCore
import HelioMedia
import Testing

@Suite("Viewers that are far slower than others")
struct AudienceSplitTests {
    private static let (fast, slow, third) = (ConnectionID(1), ConnectionID(2), ConnectionID(3))

    /// Viewers whose path estimates are updated ten times a second.
    private struct World {
        var split: AudienceSplit
        var now = Instant.zero + .seconds(100)
        var kilobits: [(viewer: ConnectionID, rate: Int)] = []
        /// The times at which the set of separated viewers changed.
        var changes: [Instant] = []

        init(_ policy: SlowViewerPolicy = .secondEncode) { split = AudienceSplit(policy) }

        mutating func set(_ viewer: ConnectionID, _ rate: Int?) {
            kilobits.removeAll { $0.viewer == viewer }
            if let rate { kilobits.append((viewer, rate)) }
        }

        mutating func update() {
            let before = split.apart
            split.update(kilobits.map { (viewer: $0.viewer, bitrate: .kilobits($0.rate)) }, now: now)
            if split.apart != before { changes.append(now) }
        }

        mutating func run(_ duration: Duration) {
            let end = now + duration
            while now < end {
                update()
                now = now + .milliseconds(100)
            }
            update()
        }
    }

    @Test("a viewer that becomes far slower is apart at once, and one that is a little below half after a while")
    func apart() {
        for (rate, least, most) in [(4000, 0, 100), (9000, 1500, 1700)] {
            var world = World()
            world.set(Self.fast, 20_000)
            world.set(Self.slow, 20_000)
            world.run(.seconds(2))
            #expect(world.split.apart.isEmpty && world.split.mainRate == .megabits(20))
            let fell = world.now
            world.set(Self.slow, rate)
            world.update()
            #expect(world.split.mainRate == .megabits(20), "nobody pays for it, from the first moment on")
            world.run(.seconds(3))
            #expect(world.split.apart == [Self.slow] && world.changes.count == 1)
            #expect(world.split.apartRate == .kilobits(rate))
            let took = world.changes[0] - fell
            #expect(took >= .milliseconds(least) && took <= .milliseconds(most), "\(took)")
        }
    }

    @Test("a newcomer, whose path is not known yet, is given three seconds")
    func newcomer() {
        var world = World()
        world.set(Self.fast, 20_000)
        world.run(.seconds(2))
        world.set(Self.slow, 3000)
        world.run(.milliseconds(2500))
        #expect(world.split.apart.isEmpty)
        world.set(Self.slow, 18_000)
        world.run(.seconds(5))
        #expect(world.changes.isEmpty && world.split.mainRate == .megabits(18))
        world.set(Self.third, 3000)
        world.run(.seconds(4))
        #expect(world.split.apart == [Self.third])
    }

    @Test("it comes back once it carries as much for five seconds")
    func back() {
        var world = World()
        world.set(Self.fast, 20_000)
        world.set(Self.slow, 1000)
        world.run(.seconds(10))
        #expect(world.split.apart == [Self.slow])
        world.set(Self.slow, 11_000)
        world.run(.seconds(20))
        #expect(world.split.apart == [Self.slow], "more than half, but not enough")
        world.set(Self.slow, 15_000)
        world.run(.milliseconds(4800))
        #expect(world.split.apart == [Self.slow])
        world.run(.milliseconds(500))
        #expect(world.split.apart.isEmpty && world.split.apartRate == nil && world.split.mainRate == .megabits(15))
    }

    @Test("viewers that are all slow, and one alone, are not apart")
    func together() {
        var world = World()
        world.set(Self.slow, 300)
        world.run(.seconds(20))
        world.set(Self.fast, 400)
        world.set(Self.third, 350)
        world.run(.seconds(20))
        #expect(world.changes.isEmpty && world.split.mainRate == .kilobits(300))
    }

    @Test("when the fast one leaves, those who are left are together again")
    func leaving() {
        var world = World()
        world.set(Self.fast, 20_000)
        world.set(Self.slow, 1000)
        world.set(Self.third, 800)
        world.run(.seconds(10))
        #expect(world.split.apart == [Self.slow, Self.third] && world.split.apartRate == .kilobits(800))
        world.set(Self.fast, nil)
        world.update()
        #expect(world.split.apart.isEmpty && world.split.mainRate == .kilobits(800))
        world.set(Self.slow, nil)
        world.set(Self.third, nil)
        world.update()
        #expect(world.split.mainRate == nil && world.split.deadline == nil)
    }

    @Test("where the fast one becomes the slow one, they change places")
    func turned() {
        var world = World()
        world.set(Self.fast, 20_000)
        world.set(Self.slow, 1000)
        world.run(.seconds(10))
        world.set(Self.fast, 400)
        world.run(.seconds(10))
        #expect(world.split.apart == [Self.fast] && world.split.mainRate == .megabits(1))
    }

    @Test("an hour of a path that changes all the time moves nobody often, and never twice within five seconds")
    func noFlapping() {
        var random = SeededGenerator(seed: 5)
        var world = World()
        world.set(Self.fast, 20_000)
        for _ in 0..<1200 {
            world.set(Self.slow, Int.random(in: 2000...20_000, using: &random))
            world.run(.seconds(3))
        }
        #expect(world.changes.count < 150, "\(world.changes.count)")
        for (before, after) in zip(world.changes, world.changes.dropFirst()) {
            #expect(after - before >= .milliseconds(4999))
        }
        // Rates between the two thresholds move no viewer.
        world = World()
        world.set(Self.fast, 20_000)
        for turn in 0..<1200 {
            world.set(Self.slow, turn % 2 == 0 ? 9500 : 11_500)
            world.run(.seconds(3))
        }
        #expect(world.changes.count <= 1)
    }

    @Test("the least that viewers apart are coded for")
    func least() {
        var world = World()
        world.set(Self.fast, 20_000)
        world.set(Self.slow, 20)
        world.run(.seconds(5))
        #expect(world.split.apartRate == AudienceSplit.leastApart)
    }

    @Test("where the slowest decides nobody is ever apart, and for an app's own encoder only below a quarter")
    func policies() {
        var world = World(.slowestDecides)
        world.set(Self.fast, 20_000)
        world.set(Self.slow, 300)
        world.run(.seconds(10))
        #expect(world.changes.isEmpty && world.split.mainRate == .kilobits(300))
        world = World(.refreshFarSlower)
        world.set(Self.fast, 20_000)
        world.set(Self.slow, 6000)
        world.run(.seconds(10))
        #expect(world.changes.isEmpty && world.split.mainRate == .megabits(6))
        world.set(Self.slow, 4000)
        world.run(.seconds(10))
        #expect(world.split.apart == [Self.slow] && world.split.mainRate == .megabits(20))
    }

    @Test("what is due is done at its deadline")
    func deadline() throws {
        var world = World()
        world.set(Self.fast, 20_000)
        world.set(Self.slow, 20_000)
        world.update()
        #expect(world.split.deadline == nil)
        world.set(Self.slow, 8000)
        world.update()
        let due = try #require(world.split.deadline?.at)
        #expect(due == world.now + .milliseconds(1500))
        world.split.tick(now: due)
        #expect(world.split.apart == [Self.slow])
        #expect(world.split.deadline == nil)
    }
}
