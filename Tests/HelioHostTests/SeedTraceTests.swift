import Foundation
import HelioCore
import HelioHost
import HelioSession
import HelioSimulation
import Testing

/// Prints traces for `ReproducibilityTests`, which runs it in two processes.
struct SeedTraceTests {
    @Test func sessionWorld() throws {
        var world = SessionWorld(seed: 77)
        var trace = SeedTrace()
        for _ in 0..<50 {
            try world.run(.milliseconds(100))
            trace.add("\(world.host.host.statistics)".split(separator: " ").sorted().joined())
            trace.add("\(world.viewer.frames)")
        }
        #expect(trace.count == 100 && world.viewer.frames > 50)
        if ProcessInfo.processInfo.environment["HELIO_SEED_TRACE"] != nil { print(trace.line("SessionWorld")) }
    }
}
