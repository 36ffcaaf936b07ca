import HelioCore
import HelioMedia
import HelioRemote
import HelioSession
import HelioSimulation
import Testing

@Suite("Hours of virtual time")
struct SessionHoursTests {
    @Test("three hours of a still desktop with a keystroke now and then: nothing grows, nothing is lost")
    func stillDesktop() throws {
        var world = SessionWorld(.wifi, seed: 3)
        world.host.framesPerSecond = 1
        world.host.encoder.sliceBytes = 100
        try world.run(.seconds(3 * 3600))
        #expect(world.viewer.ended == nil)
        #expect(world.viewer.broken == 0)
        #expect(UInt64(world.viewer.frames) + 20 >= world.host.encoder.nextIndex)
        let clock = try #require(world.viewer.control).statistics.clock
        let estimate = try #require(clock.estimate(now: world.now))
        #expect(estimate.error < .milliseconds(20))
        #expect(world.stepper.network.aToB.inFlightCount < 100)
    }

    @Test("seeded sessions on every kind of network: none hangs, none shows a broken frame")
    func manySeeds() throws {
        for seed in UInt64(0)..<200 {
            let preset = LinkConditions.presets[Int(seed) % LinkConditions.presets.count]
            var world = SessionWorld(preset.conditions, seed: seed)
            try world.run(.seconds(3))
            #expect(world.viewer.broken == 0, "\(preset.name), seed \(seed)")
            #expect(world.viewer.isPlaying || world.viewer.ended != nil, "\(preset.name), seed \(seed)")
        }
    }
}
