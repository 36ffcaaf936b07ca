import HelioCore
import HelioSession
import Testing

@Suite("Sessions through every order of events")
struct TurmoilTests {
    @Test(
        "ten thousand seeded runs: each viewer plays or has ended with a reason, and nothing is left behind",
        arguments: 0..<8)
    func runs(part: Int) {
        for seed in UInt64(part) * 1250..<UInt64(part + 1) * 1250 {
            var turmoil = Turmoil(seed: seed)
            turmoil.run()
            #expect(turmoil.faults.isEmpty, "seed \(seed): \(turmoil.faults); \(turmoil.story)")
        }
    }
}
