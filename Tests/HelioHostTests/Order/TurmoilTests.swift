import Foundation
import HelioCore
import HelioSession
import Testing

@Suite("Sessions through every order of events")
struct TurmoilTests {
    /// The number of seeds; `HELIO_SESSION_RUNS=10000` runs all of them, `HELIO_SESSION_SEED` only one.
    static let runs = ProcessInfo.processInfo.environment["HELIO_SESSION_RUNS"].flatMap(Int.init) ?? 2000
    static let seed = ProcessInfo.processInfo.environment["HELIO_SESSION_SEED"].flatMap(Int.init)

    @Test(
        "in each seeded run each viewer plays or has ended with a reason, and nothing is left behind", arguments: 0..<8)
    func runs(part: Int) {
        for seed in Self.seed.map({ $0..<$0 + 1 }) ?? 0..<Self.runs where seed % 8 == part {
            var turmoil = Turmoil(seed: UInt64(seed))
            turmoil.run()
            #expect(turmoil.faults.isEmpty, "seed \(seed): \(turmoil.faults); \(turmoil.story)")
        }
    }
}
