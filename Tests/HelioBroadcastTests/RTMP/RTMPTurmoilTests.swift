import Foundation
import HelioCore
import Testing

@testable import HelioBroadcast

struct RTMPTurmoilTests {
    /// The number of seeds; `HELIO_RTMP_RUNS=10000` runs more, `HELIO_RTMP_SEED` only one.
    static let runs = ProcessInfo.processInfo.environment["HELIO_RTMP_RUNS"].flatMap(UInt64.init) ?? 200
    static let seed = ProcessInfo.processInfo.environment["HELIO_RTMP_SEED"].flatMap(UInt64.init)

    /// A little more than the bytes until publishing starts, in either direction.
    private static let beginning = 5000

    /// Handshake and commands take fewer bytes than `beginning`.
    @Test func beginningIsShort() throws {
        var world = try RTMPWorld()
        world.run(for: .seconds(1))
        #expect(world.states.last == .live)
        #expect((3000...4500).contains(world.bytes.toServer) && (3000...4500).contains(world.bytes.toClient))
    }

    /// Connections cut after any byte in either direction: each new one begins with a keyframe, and every loss is
    /// counted.
    ///
    /// The first cut of each run is at a different byte: 10,000 runs cover every byte of `beginning` in both
    /// directions.
    @Test(arguments: 0..<4 as Range<UInt64>)
    func cuts(part: UInt64) throws {
        let seeds = Self.seed.map { [$0] } ?? Array(0..<Self.runs)
        for seed in seeds where Self.seed != nil || seed % 4 == part { try run(seed) }
    }

    private func run(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let age = Duration.milliseconds(Int.random(in: 200...1000, using: &random))
        var world = try RTMPWorld(seed: seed) { $0.queueAge = age }
        // Spreads the first cuts over the whole beginning even with few seeds.
        let first = Int(seed / 2) * 2503 % Self.beginning
        var put = 0
        for number in 0..<3 {
            let place = number == 0 ? first : Int.random(in: 0...60000, using: &random)
            if number == 0 ? seed % 2 == 0 : Bool.random(using: &random) {
                world.cutsAfter = (1 + place, .max)
            } else {
                world.cutsAfter = (.max, 1 + place % Self.beginning)
            }
            put += Int(
                world.stream(for: .seconds(2), from: UInt32(put), size: Int.random(in: 1...3000, using: &random)))
        }
        // Only the bytes to the server continue past the beginning.
        #expect(world.cuts > 0 || seed % 2 == 1 && first > 3000, "seed \(seed)")
        world.cutsAfter = (.max, .max)
        put += Int(world.stream(for: .seconds(6), from: UInt32(put)))
        #expect(world.states.last == .live, "seed \(seed)")
        world.give(.end)
        world.run(for: .seconds(3))
        #expect(world.states.last == .ended, "seed \(seed)")
        #expect(world.closes == world.connects, "seed \(seed)")
        for received in world.received { received.check("seed \(seed)") }
        let statistics = world.statistics
        #expect(Int(statistics.pictures + statistics.sounds) + statistics.dropped == put * 3, "seed \(seed)")
        #expect(world.received.last?.pictures.last?.number == UInt32(put - 1), "seed \(seed)")
    }
}
