import Foundation
import Testing

@Suite("Peer connections through every order of events")
struct PeerTurmoilTests {
    /// The number of seeds; `HELIO_PEER_RUNS=10000` runs all of them, `HELIO_PEER_SEED` only one.
    static let runs = ProcessInfo.processInfo.environment["HELIO_PEER_RUNS"].flatMap(Int.init) ?? 240
    static let seed = ProcessInfo.processInfo.environment["HELIO_PEER_SEED"].flatMap(Int.init)

    @Test("all that was sent arrives once the network lets it, and nothing is left behind", arguments: 0..<8)
    func runs(part: Int) {
        for seed in Self.seed.map({ $0..<$0 + 1 }) ?? 0..<Self.runs where seed % 8 == part {
            let turmoil = PeerTurmoil(seed: UInt64(seed))
            turmoil.run()
            #expect(turmoil.faults.isEmpty, "seed \(seed): \(turmoil.faults); \(turmoil.story.joined(separator: "\n"))")
        }
    }
}
