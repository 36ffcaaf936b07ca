import HelioCore
import HelioICE
import HelioSTUN
import HelioSimulation
import Testing

/// Events of an established session: consent, address changes, restarts.
struct ICELifetimeTests {
    private func connected(
        seed: UInt64, _ a: ICENode.Place = .open, _ b: ICENode.Place = .open, loss: Double = 0, isLiteB: Bool = false
    ) throws -> ICEWorld {
        let world = try ICEWorld(seed: seed, a, b, loss: loss) { $1.isLite = isLiteB }
        world.exchangeCredentials(isLiteB: isLiteB)
        world.start(exchangesCredentials: false)
        try #require(try world.run(for: .seconds(60)) { world.isConnected })
        return world
    }

    /// RFC 7675 section 5.1: a consent check every 4 ... 6 s, each with a new transaction.
    @Test func consentIsAskedForInTime() throws {
        let world = try connected(seed: 1)
        try world.run(for: .seconds(1))
        let since = world.now
        try world.run(for: .seconds(600))
        for node in [world.a, world.b] {
            let checks = node.sent.filter { $0.at > since && $0.bytes.span.bytes.uint16(at: 0) == 1 }
            let distances = zip(checks, checks.dropFirst()).map { $1.at - $0.at }
            #expect(distances.count > 95)
            #expect(distances.allSatisfy { $0 >= .seconds(4) && $0 <= .seconds(6) })
            #expect((distances.max() ?? .zero) - (distances.min() ?? .zero) > .seconds(1))
            #expect(Set(checks.map { Array($0.bytes[8..<20]) }).count == checks.count)
            #expect(node.states() == [.checking, .connected])
        }
    }

    @Test(arguments: [1, 2, 3, 4, 5])
    func consentExpires(seed: UInt64) throws {
        let world = try connected(seed: seed)
        try world.run(for: .seconds(20))
        let cut = world.now
        world.a.link.partitions = [cut..<cut + .seconds(1000)]
        try world.run(for: .seconds(100))
        // Only packets from A are lost: B's requests arrive, yet neither end gets a response.
        for node in [world.a, world.b] {
            #expect(node.states() == [.checking, .connected, .disconnected, .failed])
            #expect(node.selections().last == .some(nil))
            let failed = try #require(node.events.last { $0.event == .state(.failed) })
            // 30 s after the last response, which arrived up to 6 s before the cut.
            #expect((.seconds(24)...(.milliseconds(30_100))).contains(failed.at - cut))
            #expect(node.sent.allSatisfy { $0.at <= failed.at })
        }
    }

    @Test(arguments: [1, 2, 3])
    func aShortOutageIsOutlived(seed: UInt64) throws {
        let world = try connected(seed: seed)
        world.a.link.partitions = [world.now..<world.now + .seconds(23)]
        try world.run(for: .seconds(35))
        #expect(world.a.states() == [.checking, .connected, .disconnected, .connected])
        #expect(world.isConnected && world.a.selections().count == 1)
    }

    /// A NAT of the controlling or of the controlled end drops its binding: that end's checks then arrive at the other
    /// end from another address.
    @Test(arguments: [true, false], [0, 0.05])
    func aMoveIsFollowed(controllingMoves: Bool, loss: Double) throws {
        for seed in 1...10 as ClosedRange<UInt64> {
            let world = try connected(
                seed: seed, controllingMoves ? .portRestricted : .open, controllingMoves ? .open : .portRestricted,
                loss: loss)
            try world.run(for: .seconds(12))
            let mover = controllingMoves ? world.a : world.b
            mover.nat?.rebind()
            try world.run(for: .seconds(1))
            let isBack = try world.run(for: .seconds(27)) { world.isConnected }
            #expect(isBack, "seed \(seed)")
            try world.run(for: .seconds(40))
            #expect(world.isAlive, "seed \(seed): later")
            #expect(!mover.states().contains(.failed) && !world.peer(of: mover).states().contains(.failed))
        }
    }

    @Test(arguments: [0, 0.1], [true, false])
    func restartFindsAWayWhileTheOldOneCarries(loss: Double, controllingRestarts: Bool) throws {
        for seed in 1...10 as ClosedRange<UInt64> {
            let world = try connected(seed: seed, .restricted, .portRestricted, loss: loss)
            try world.run(for: .seconds(7))
            let before = (world.a.agent.localCredentials, world.b.agent.localCredentials)
            let since = world.now
            for node in controllingRestarts ? [world.a, world.b] : [world.b, world.a] {
                world.give(node, .restart)
                #expect(node.agent.selectedPair != nil)
            }
            #expect(world.a.agent.localCredentials != before.0 && world.b.agent.localCredentials != before.1)
            world.exchangeCredentials()
            #expect(world.isAlive)
            try world.run(for: .seconds(40))
            #expect(world.isAlive, "seed \(seed)")
            for node in [world.a, world.b] {
                #expect(!node.states().contains(.failed) && !node.states().dropFirst().contains(.checking))
                #expect(node.events.contains { $0.at > since && $0.event == .gathered })
                let selections = node.events.filter {
                    if case .selected(let pair) = $0.event { $0.at > since && pair != nil } else { false }
                }
                #expect(!selections.isEmpty, "seed \(seed): no new pair")
            }
        }
    }

    /// Offer and answer are slow: the old path keeps its consent meanwhile.
    @Test(arguments: [true, false])
    func aSlowRestartKeepsConsent(isLiteB: Bool) throws {
        let world = try connected(seed: 3, isLiteB: isLiteB)
        world.give(isLiteB ? world.b : world.a, .restart)
        try world.run(for: .seconds(60))
        #expect(world.a.agent.state == .connected && world.b.agent.state == .connected)
        #expect(world.reaches(world.a) && world.reaches(world.b))
        world.give(isLiteB ? world.a : world.b, .restart)
        world.exchangeCredentials(isLiteB: isLiteB)
        // An end that restarts in its answer has forgotten the candidates that the offer carried.
        for candidate in world.b.agent.localCandidates {
            world.signal(to: world.a, .remoteCandidate(candidate.attribute))
        }
        try world.run(for: .seconds(20))
        #expect(world.isConnected)
        #expect(world.a.selections().count == 2)
    }

    @Test func restartRevivesWhatHasFailed() throws {
        let world = try connected(seed: 5)
        world.a.link.partitions = [world.now..<world.now + .seconds(50)]
        try world.run(for: .seconds(60))
        #expect(world.a.agent.state == .failed && world.b.agent.state == .failed)
        world.give(world.a, .restart)
        world.give(world.b, .restart)
        world.exchangeCredentials()
        #expect(try world.run(for: .seconds(5)) { world.isConnected })
        #expect(world.a.states() == [.checking, .connected, .disconnected, .failed, .new, .checking, .connected])
    }

    /// The path was lost, and its consent expires during the checks of the restart.
    @Test func restartOutlivesTheOldPath() throws {
        let world = try connected(seed: 6)
        world.a.link.partitions = [world.now..<world.now + .seconds(45)]
        try world.run(for: .seconds(25))
        world.give(world.a, .restart)
        world.give(world.b, .restart)
        world.exchangeCredentials()
        #expect(try world.run(for: .seconds(60)) { world.isConnected })
        #expect(!world.a.states().contains(.failed) && !world.b.states().contains(.failed))
    }

    @Test func closingEndsAll() throws {
        let world = try connected(seed: 7)
        world.give(world.a, .close)
        let count = world.a.sent.count
        try world.run(for: .seconds(60))
        #expect(world.a.agent.state == .closed && world.a.agent.deadline == nil && world.a.sent.count == count)
        #expect(world.a.selections().last == .some(nil))
        #expect(world.b.agent.state == .failed)
    }
}
