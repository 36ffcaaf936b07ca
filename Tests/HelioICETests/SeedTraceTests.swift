import Foundation
import HelioCore
import HelioICE
import HelioSimulation
import Testing

/// Prints traces for `ReproducibilityTests`, which runs it in two processes.
struct SeedTraceTests {
    @Test func iceWorld() throws {
        let world = try ICEWorld(seed: 77, .portRestricted, .open, loss: 0.05)
        for node in [world.a, world.b] {
            node.others = (1...3).map {
                TransportAddress(.v4(0x0A01_0000 + ($0 << 8) + (node === world.a ? 1 : 2)), port: 5000)
            }
        }
        world.start()
        try world.run(for: .seconds(20))
        let dead = world.a.agent.selectedPair?.base
        world.cuts = { from, to in from == dead || to == dead }
        try world.run(for: .seconds(20))
        var trace = SeedTrace()
        for node in [world.a, world.b] {
            for (at, bytes, from, to) in node.sent {
                trace.add(at)
                trace.add("\(from) \(to)")
                trace.add(bytes)
            }
            for (at, event) in node.events { trace.add("\(at) \(event)") }
        }
        #expect(trace.count > 300 && world.isAlive)
        if ProcessInfo.processInfo.environment["HELIO_SEED_TRACE"] != nil { print(trace.line("ICEWorld")) }
    }
}
