import HelioCore
import HelioICE
import HelioSTUN
import HelioSimulation
import Testing

/// The time between the first valid pair and the nomination.
struct ICERecheckTests {
    /// The controlled end has a valid pair and would send nothing more; only its further checks show the peer its
    /// current address.
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func aTranslatorForgetsBeforeAPairIsChosen(seed: UInt64) throws {
        let world = try ICEWorld(seed: seed, .open, .portRestricted)
        world.start()
        try #require(try world.run(for: .seconds(5)) { world.b.agent.dataPath != nil })
        try #require(world.b.agent.selectedPair == nil)
        for node in [world.a, world.b] { node.link.partitions = [world.now..<world.now + .seconds(1)] }
        world.b.nat?.rebind()
        #expect(try world.run(for: .seconds(8)) { world.isConnected })
        #expect(world.isAlive)
    }

    /// One check every two seconds until the nomination.
    @Test func whoWaitsAsksAgain() throws {
        let world = try ICEWorld(seed: 1)
        world.start()
        // The nomination is lost; all other packets arrive.
        world.loses = { _, bytes in (try? STUNPacket(parsing: bytes.span.bytes).message.usesCandidate) ?? false }
        try #require(try world.run(for: .seconds(5)) { world.b.agent.dataPath != nil })
        let since = world.now
        try world.run(for: .seconds(25))
        let asked = world.b.sent.filter {
            $0.at > since && $0.bytes.span.bytes.uint16(at: 0) == 1 && $0.to != ICEWorld.server
        }
        let distances = zip(asked, asked.dropFirst()).map { $1.at - $0.at }
        #expect(distances.count > 8)
        #expect(distances.allSatisfy { $0 >= .seconds(2) && $0 < .milliseconds(2100) }, "\(distances)")
        #expect(world.b.agent.state == .checking && world.b.agent.dataPath != nil)
        world.loses = { _, _ in false }
        world.give(world.a, .restart)
        world.give(world.b, .restart)
        world.exchangeCredentials()
        #expect(try world.run(for: .seconds(5)) { world.isConnected })
    }
}
