import HelioCore
import HelioICE
import HelioSimulation
import Testing

/// Restarts that the peer never answers.
struct ICERestartTests {
    private func connected(seed: UInt64) throws -> ICEWorld {
        let world = try ICEWorld(seed: seed, .restricted, .open)
        world.start()
        try #require(try world.run(for: .seconds(60)) { world.isConnected })
        return world
    }

    @Test(arguments: [true, false], [1, 3])
    func cancellingLeadsBack(controlling: Bool, restarts: Int) throws {
        let world = try connected(seed: 1)
        let node = controlling ? world.a : world.b
        let (credentials, pair) = (node.agent.localCredentials, node.agent.selectedPair)
        for _ in 0..<restarts {
            world.give(node, .restart)
            try world.run(for: .seconds(20))
            #expect(node.agent.localCredentials != credentials && node.agent.selectedPair == pair)
        }
        world.give(node, .cancelRestart)
        #expect(node.agent.localCredentials == credentials && node.agent.selectedPair == pair)
        try world.run(for: .seconds(60))
        #expect(world.isConnected)
        for node in [world.a, world.b] { #expect(node.states() == [.checking, .connected]) }
    }

    @Test func inTheMiddleOfTheChecks() throws {
        let world = try ICEWorld(seed: 2)
        world.start()
        try world.run(for: .milliseconds(60))
        #expect(world.a.agent.state == .checking)
        let credentials = world.a.agent.localCredentials
        world.give(world.a, .restart)
        try world.run(for: .seconds(2))
        world.give(world.a, .cancelRestart)
        #expect(world.a.agent.localCredentials == credentials)
        #expect(try world.run(for: .seconds(60)) { world.isConnected })
    }

    @Test func whatTheRestartWasToMendIsStillBroken() throws {
        let world = try connected(seed: 3)
        world.a.link.partitions = [world.now..<world.now + .seconds(90)]
        try world.run(for: .seconds(60))
        #expect(world.a.agent.state == .failed)
        world.give(world.a, .restart)
        #expect(world.a.agent.state == .new)
        world.give(world.a, .cancelRestart)
        #expect(world.a.agent.state == .failed && world.a.agent.selectedPair == nil)
        // The next restart succeeds.
        try world.run(for: .seconds(40))
        for node in [world.a, world.b] { world.give(node, .restart) }
        world.exchangeCredentials()
        #expect(try world.run(for: .seconds(30)) { world.isConnected })
    }

    @Test func onceAgreedOnItIsNoMoreTakenBack() throws {
        let world = try connected(seed: 4)
        for node in [world.a, world.b] { world.give(node, .restart) }
        world.exchangeCredentials()
        try world.run(for: .seconds(1))
        let credentials = world.a.agent.localCredentials
        world.give(world.a, .cancelRestart)
        #expect(world.a.agent.localCredentials == credentials)
        try world.run(for: .seconds(30))
        #expect(world.isConnected)
    }
}
