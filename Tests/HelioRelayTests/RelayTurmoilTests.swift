import Foundation
import Testing

@Suite("The relay through slowness, deaths and cuts at any byte")
struct RelayTurmoilTests {
    /// The number of seeds; `HELIO_RELAY_RUNS=10000` runs all of them, `HELIO_RELAY_SEED` only one.
    static let runs = ProcessInfo.processInfo.environment["HELIO_RELAY_RUNS"].flatMap(Int.init) ?? 200
    static let seed = ProcessInfo.processInfo.environment["HELIO_RELAY_SEED"].flatMap(Int.init)

    @Test(
        "in each seeded run memory is bounded, what comes can be decoded, every picture is accounted for, and in the end it works",
        arguments: 0..<8)
    func runs(part: Int) {
        for seed in Self.seed.map({ $0..<$0 + 1 }) ?? 0..<Self.runs where seed % 8 == part {
            var turmoil = RelayTurmoil(seed: UInt64(seed))
            turmoil.run()
            let (faults, story) = (turmoil.faults, turmoil.story)
            #expect(faults.isEmpty, "seed \(seed): \(faults.prefix(5)); \(story)")
        }
    }
}
