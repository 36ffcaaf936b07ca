import Foundation
import HelioCore
import Testing

@testable import HelioRTMPLink

struct RTMPTurmoilTests {
    /// Connections cut behind any byte, either way: each next one begins with a keyframe, and nothing is lost uncounted.
    ///
    /// Repeats one by `HELIO_RTMP_SEED`.
    @Test func cuts() throws {
        let environment = ProcessInfo.processInfo.environment
        let count = environment["HELIO_RTMP_RUNS"].flatMap(UInt64.init) ?? 200
        let one = environment["HELIO_RTMP_SEED"].flatMap(UInt64.init)
        for seed in one.map({ $0...$0 }) ?? 1...count {
            var random = SeededGenerator(seed: seed)
            var options = RTMPOptions()
            options.queueAge = .milliseconds(Int.random(in: 200...1000, using: &random))
            var world = try RTMPWorld(seed: seed, options: options)
            var put = 0
            for _ in 0..<3 {
                // The handshake and commands are some 4 KB, each way.
                let place = Int.random(in: 0...(Bool.random(using: &random) ? 4000 : 60000), using: &random)
                if Bool.random(using: &random) {
                    world.cutsAfter = (max(1, place), .max)
                } else {
                    world.cutsAfter = (.max, max(1, place % 3800))
                }
                put += Int(
                    world.stream(for: .seconds(2), from: UInt32(put), size: Int.random(in: 1...3000, using: &random)))
            }
            world.cutsAfter = (.max, .max)
            put += Int(world.stream(for: .seconds(6), from: UInt32(put)))
            #expect(world.states.last == .publishing, "seed \(seed)")
            world.give(.close)
            world.run(for: .seconds(3))
            #expect(world.states.last == .closed, "seed \(seed)")
            #expect(world.closes == world.connects, "seed \(seed)")
            for received in world.received { received.check("seed \(seed)") }
            let statistics = world.publisher.statistics
            let drops = statistics.drops.values.reduce(0, +)
            #expect(
                statistics.sentPictures + statistics.sentSounds + drops == put * 3, "seed \(seed)")
            #expect(world.received.last?.pictures.last?.number == UInt32(put - 1), "seed \(seed)")
        }
    }
}
