import HelioCore
import HelioICE
import HelioSTUN
import HelioSimulation
import Testing

/// Valid pairs besides the selected one: how they are kept alive, and when one replaces it.
struct ICEBackupTests {
    /// Two agents with two interfaces each, connected for a while.
    private func connected(seed: UInt64, loss: Double = 0) throws -> ICEWorld {
        let world = try ICEWorld(seed: seed, loss: loss)
        for node in [world.a, world.b] {
            node.others = [TransportAddress(.v4(node.host.ip.word + 0x1_0000), port: 5000)]
        }
        world.start()
        try #require(try world.run(for: .seconds(20)) { world.isConnected })
        try world.run(for: .seconds(20))
        try #require(world.isAlive)
        return world
    }

    /// Drops all packets to and from one address.
    private func cut(_ address: TransportAddress, in world: ICEWorld) {
        world.cuts = { $0 == address || $1 == address }
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>, [0, 0.05])
    func anotherTakesOverWithinTwoSeconds(seed: UInt64, loss: Double) throws {
        let world = try connected(seed: seed, loss: loss)
        let node = seed % 2 == 0 ? world.a : world.b
        let dead = try #require(node.agent.selectedPair?.base)
        cut(dead, in: world)
        #expect(!world.reaches(world.a) && !world.reaches(world.b))
        // With loss, another check may be needed.
        let isBack = try world.run(for: loss > 0 ? .milliseconds(3000) : .seconds(2)) { world.isAlive }
        #expect(isBack)
        try world.run(for: .seconds(60))
        #expect(world.isAlive)
        for node in [world.a, world.b] {
            #expect(!node.states().contains(.disconnected))
            #expect(node.selections().count <= 3, "\(node.selections())")
        }
    }

    /// The selected pair fails in one direction: the end that receives nothing switches, and the other follows.
    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func oneWayIsDead(seed: UInt64) throws {
        let world = try connected(seed: seed)
        let node = seed % 2 == 0 ? world.a : world.b
        let dead = try #require(node.agent.selectedPair?.base)
        world.cuts = { from, _ in from == dead }
        #expect(try world.run(for: .seconds(4)) { world.isAlive })
        try world.run(for: .seconds(60))
        #expect(world.isAlive)
    }

    @Test(arguments: 1...10 as ClosedRange<UInt64>, [0.05, 0.1])
    func nothingFlapsUnderLoss(seed: UInt64, loss: Double) throws {
        let world = try connected(seed: seed, loss: loss)
        let before = [world.a, world.b].map { $0.selections().count }
        try world.run(for: .seconds(600))
        #expect([world.a, world.b].map { $0.selections().count } == before)
    }

    /// An otherwise idle connection has little overhead: a few checks a second, and rare checks of backups.
    @Test func itCostsLittle() throws {
        let world = try connected(seed: 1)
        let before = [world.a, world.b].map(\.sent.count)
        try world.run(for: .seconds(600))
        for (node, before) in zip([world.a, world.b], before) {
            let sent = node.sent[before...]
            #expect(sent.count < 4 * 600, "\(sent.count) datagrams in ten minutes")
            let bytes = sent.reduce(0) { $0 + $1.bytes.count }
            #expect(bytes < 300 * 600, "\(bytes) bytes")
            // Consent checks have their own interval, checks of backups another.
            let pair = try #require(node.agent.selectedPair)
            let others = sent.filter {
                $0.bytes.span.bytes.uint16(at: 0) == 1 && ($0.from != pair.base || $0.to != pair.remote)
            }
            #expect((60...190).contains(others.count), "\(others.count)")
        }
    }

    /// Received media show that the selected pair works: no additional checks are sent.
    @Test func mediaAreHeard() throws {
        let world = try connected(seed: 2)
        let since = world.now
        for _ in 0..<600 {
            for node in [world.a, world.b] { node.agent.pathHeard(now: world.now) }
            try world.run(for: .milliseconds(100))
        }
        for node in [world.a, world.b] {
            let pair = try #require(node.agent.selectedPair)
            let asked = node.sent.filter {
                $0.at > since && $0.from == pair.base && $0.to == pair.remote
                    && $0.bytes.span.bytes.uint16(at: 0) == 1
            }
            #expect(asked.count <= 16, "\(asked.count) in a minute")
        }
    }

    /// Without another valid pair, the selected one gets only consent checks.
    @Test func aLonePairIsOnlyAskedForConsent() throws {
        let world = try ICEWorld(seed: 3)
        world.start()
        try #require(try world.run(for: .seconds(10)) { world.isConnected })
        world.a.link.partitions = [world.now..<world.now + .seconds(20)]
        let since = world.now
        try world.run(for: .seconds(20))
        #expect(world.a.sent.count { $0.at > since && $0.bytes.span.bytes.uint16(at: 0) == 1 } <= 5)
        try world.run(for: .seconds(10))
        #expect(world.isConnected && world.a.selections().count == 1)
    }

    /// A pair that becomes available later is kept as a backup if the peer gets its candidate.
    @Test func aNewInterfaceIsABackup() throws {
        let world = try ICEWorld(seed: 4)
        world.start()
        try #require(try world.run(for: .seconds(10)) { world.isConnected && world.a.agent.hasGathered })
        try world.run(for: .seconds(10))
        let other = TransportAddress(.v4(world.a.host.ip.word + 0x1_0000), port: 5000)
        world.a.others = [other]
        world.give(world.a, .localCandidate(.host(other)))
        try world.run(for: .seconds(10))
        #expect(world.a.agent.selectedPair?.base == world.a.host && world.a.selections().count == 1)
        cut(world.a.host, in: world)
        #expect(try world.run(for: .seconds(2)) { world.isAlive })
        #expect(world.a.agent.selectedPair?.base == other)
    }

    /// The peer's consent is per pair: if no pair works, nothing is sent after 30 s.
    @Test func consentStillExpires() throws {
        let world = try connected(seed: 5)
        let cut = world.now
        world.cuts = { _, _ in true }
        try world.run(for: .seconds(100))
        for node in [world.a, world.b] {
            #expect(node.agent.state == .failed)
            #expect(node.sent.allSatisfy { $0.at <= cut + .milliseconds(30_100) })
        }
    }
}

extension IPAddress {
    fileprivate var word: UInt32 { bytes.span.bytes.uint32(at: 0) ?? 0 }
}
