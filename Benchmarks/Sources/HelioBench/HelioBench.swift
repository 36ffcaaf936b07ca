import HelioProtection

/// Measures the hot paths of protection. Argument: the number of rounds (201 unless told).
@main
struct HelioBench {
    static func main() throws {
        let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 201
        LibSRTP.start()
        var isKept = true
        print("packets of 1200 bytes, medians of \(rounds) rounds")
        for profile in SRTPProfile.allCases where try !SRTPBench(profile, rounds: rounds).run() { isKept = false }
        for suite in ProtectionSuite.all where try !SuiteBench(suite, rounds: rounds).run() { isKept = false }
        print("slices of 60,000 bytes, packets of at most 1200")
        for profile in SRTPProfile.allCases where try !PipelineBench(profile, rounds: rounds).run() { isKept = false }
        Budget.finish(isKept: isKept)
    }
}
