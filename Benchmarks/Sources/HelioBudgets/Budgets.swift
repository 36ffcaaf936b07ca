import HelioProtection

/// Measures protection and the processing of a slice, and compares the costs with ``Budget``.
package struct Budgets {
    private let rounds: Int
    private let table: Table

    package init(rounds: Int, _ table: Table) {
        self.rounds = rounds
        self.table = table
    }

    /// Runs all measurements; returns whether all budgets are met.
    package func run() throws -> Bool {
        LibSRTP.start()
        var isKept = true
        table.title("medians of \(rounds) rounds")
        for profile in SRTPProfile.allCases {
            for length in [100, 1200] {
                isKept = try SRTPBench(profile, packetLength: length, rounds: rounds, table).run() && isKept
            }
        }
        table.title("session suites, packets of 1200 bytes")
        for suite in ProtectionSuite.all where try !SuiteBench(suite, rounds: rounds, table).run() { isKept = false }
        table.title("slices of 60,000 bytes, packets of at most 1200")
        for profile in SRTPProfile.allCases where try !PipelineBench(profile, rounds: rounds, table).run() {
            isKept = false
        }
        return isKept
    }
}
