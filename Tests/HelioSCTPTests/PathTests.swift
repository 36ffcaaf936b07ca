import HelioCore
import HelioSCTP
import HelioSimulation
import Testing

@Suite("Another path under an association")
struct PathTests {
    /// Runs until the retransmission timeout has backed off to seconds, as all datagrams are lost.
    private func stall(_ world: inout AssociationWorld, for duration: Duration) throws {
        world.stepper.network.aToB.conditions.loss = .random(1)
        world.stepper.network.bToA.conditions.loss = .random(1)
        try world.run(duration)
        world.stepper.network.aToB.conditions.loss = .none
        world.stepper.network.bToA.conditions.loss = .none
    }

    @Test("what was lost with the old path is sent again at once, once, in order")
    func resends() throws {
        var world = try AssociationWorld(LinkConditions(delay: .milliseconds(5)))
        world.connect()
        try world.run(.seconds(1))
        world.stepper.a.outbox = (0..<40).map { .init(stream: 1, payload: TransferTests.payload($0, 1000)) }
        try stall(&world, for: .seconds(8))
        #expect(world.stepper.b.received.isEmpty)
        let start = world.now
        world.stepper.a.association.changePath(isLossy: true, roundTrip: .milliseconds(10), now: start)
        let isDone = try world.run(atMost: .seconds(60)) { $0.stepper.b.received.count == 40 }
        // 40 packets take a few round trips of 10 ms from a new window.
        #expect(isDone && world.now - start < .milliseconds(200))
        #expect(world.stepper.b.received.map(\.payload) == world.stepper.a.outbox.map(\.payload))
    }

    @Test("without a change of path the same stall waits for its back-off")
    func waitsOtherwise() throws {
        var world = try AssociationWorld(LinkConditions(delay: .milliseconds(5)))
        world.connect()
        try world.run(.seconds(1))
        world.stepper.a.outbox = [.init(stream: 1, payload: TransferTests.payload(1, 1000))]
        try stall(&world, for: .milliseconds(3500))
        let start = world.now
        let isDone = try world.run(atMost: .seconds(60)) { $0.stepper.b.received.count == 1 }
        #expect(isDone && world.now - start > .milliseconds(500))
    }

    @Test("a handshake goes on at once")
    func handshake() throws {
        var world = try AssociationWorld(LinkConditions(delay: .milliseconds(5)))
        world.stepper.network.aToB.conditions.loss = .random(1)
        world.connect()
        try world.run(.seconds(10))
        world.stepper.network.aToB.conditions.loss = .none
        let start = world.now
        world.stepper.a.association.changePath(isLossy: true, roundTrip: nil, now: start)
        try world.run(.milliseconds(100))
        let areConnected = world.areConnected
        #expect(areConnected)
    }

    @Test("a shutdown goes on at once")
    func shutdown() throws {
        var world = try AssociationWorld(LinkConditions(delay: .milliseconds(5)))
        world.connect()
        try world.run(.seconds(1))
        world.stepper.a.association.shutdown(now: world.now)
        try stall(&world, for: .seconds(8))
        let start = world.now
        world.stepper.a.association.changePath(isLossy: true, roundTrip: nil, now: start)
        try world.run(.milliseconds(100))
        #expect(world.stepper.a.events.last == .ended(.shutdown) && world.stepper.b.events.last == .ended(.shutdown))
    }

    @Test("a change without loss sends nothing twice")
    func keepsFlight() throws {
        var world = try AssociationWorld(LinkConditions(delay: .milliseconds(20)))
        world.connect()
        try world.run(.seconds(1))
        world.stepper.a.outbox = (0..<40).map { .init(stream: 1, payload: TransferTests.payload($0, 1000)) }
        try world.run(.milliseconds(30))
        world.stepper.a.association.changePath(isLossy: false, roundTrip: .milliseconds(40), now: world.now)
        let isDone = try world.run(atMost: .seconds(60)) { $0.stepper.b.received.count == 40 }
        #expect(isDone && world.stepper.b.association.drops[.duplicateData] == 0)
        #expect(world.stepper.b.received.map(\.payload) == world.stepper.a.outbox.map(\.payload))
    }

    @Test("changes at any time lose and double nothing", arguments: 0..<60 as Range<UInt64>)
    func anyTime(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var world = try AssociationWorld(
            LinkConditions(loss: .random(0.1), delay: .milliseconds(10), jitter: .milliseconds(5), reorder: 0.1),
            seed: seed)
        world.stepper.a.outbox = TransferTests.messages(using: &generator)
        world.stepper.b.outbox = TransferTests.messages(using: &generator)
        world.connect(both: seed % 2 == 0)
        for _ in 0..<20 {
            try world.run(.milliseconds(Int64.random(in: 1...150, using: &generator)))
            let isLossy = Bool.random(using: &generator)
            let now = world.now
            if Bool.random(using: &generator) {
                world.stepper.a.association.changePath(isLossy: isLossy, roundTrip: nil, now: now)
            } else {
                world.stepper.b.association.changePath(isLossy: isLossy, roundTrip: .milliseconds(25), now: now)
            }
        }
        let isDone = try world.run(atMost: .seconds(600)) { $0.stepper.a.hasSentAll && $0.stepper.b.hasSentAll }
        #expect(isDone, "seed \(seed)")
        TransferTests.check(world.stepper.b.received, are: world.stepper.a.outbox, "seed \(seed), b")
        TransferTests.check(world.stepper.a.received, are: world.stepper.b.outbox, "seed \(seed), a")
    }
}
