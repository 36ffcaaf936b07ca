import Foundation
import HelioCore
import Testing

@testable import HelioBroadcast

struct RTMPTurmoilTests {
    /// How many seeds are run; `HELIO_RTMP_RUNS=10000` asks for more, `HELIO_RTMP_SEED` for one.
    static let runs = ProcessInfo.processInfo.environment["HELIO_RTMP_RUNS"].flatMap(UInt64.init) ?? 200
    static let seed = ProcessInfo.processInfo.environment["HELIO_RTMP_SEED"].flatMap(UInt64.init)

    /// The bytes up to publishing, either way, and some more.
    private static let beginning = 5000

    /// Handshake and commands are that short.
    @Test func beginningIsShort() throws {
        var world = try RTMPWorld()
        world.run(for: .seconds(1))
        #expect(world.states.last == .live)
        #expect((3000...4500).contains(world.bytes.toServer) && (3000...4500).contains(world.bytes.toClient))
    }

    /// Connections cut behind any byte, either way: each next one begins with a keyframe, and nothing is lost uncounted.
    ///
    /// The first cut of each run is at another place: 10,000 runs have all of the bytes of the beginning, either way.
    @Test(arguments: 0..<4 as Range<UInt64>)
    func cuts(part: UInt64) throws {
        let seeds = Self.seed.map { [$0] } ?? Array(0..<Self.runs)
        for seed in seeds where Self.seed != nil || seed % 4 == part { try run(seed) }
    }

    private func run(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let age = Duration.milliseconds(Int.random(in: 200...1000, using: &random))
        var world = try RTMPWorld(seed: seed) { $0.queueAge = age }
        // Few seeds have their cuts all over the beginning, too.
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
        // What is sent to the server goes on behind the beginning, what comes from it does not.
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
