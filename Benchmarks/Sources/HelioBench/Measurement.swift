import CMallocCount

/// What one contender did in one round.
struct Round {
    var packets: Int
    var elapsed: Duration
    var allocations: Int

    var packetsPerSecond: Double { Double(packets) / (Double(elapsed.components.attoseconds) / 1e18) }
    var allocationsPerPacket: Double { Double(allocations) / Double(packets) }

    /// Runs `work` on `packets` packets, for less than a second.
    static func measure(packets: Int, _ work: () -> Void) -> Round {
        let clock = ContinuousClock()
        let before = helio_malloc_count()
        let start = clock.now
        work()
        let elapsed = start.duration(to: clock.now)
        precondition(elapsed < .seconds(1), "a round of this many packets takes too long to be read off")
        return Round(packets: packets, elapsed: elapsed, allocations: helio_malloc_count() - before)
    }
}

/// The middle of some rounds.
struct Summary {
    let packetsPerSecond: Double
    let allocationsPerPacket: Double

    init(_ rounds: [Round]) {
        packetsPerSecond = Self.median(rounds.map(\.packetsPerSecond))
        allocationsPerPacket = Self.median(rounds.map(\.allocationsPerPacket))
    }

    private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}

/// Columns of a fixed width, so that two runs can be compared line by line.
enum Table {
    /// Prints a row, and says so where it is over `budget`.
    @discardableResult
    static func row(_ name: String, _ summary: Summary, ratio: Double? = nil, budget: Budget? = nil) -> Bool {
        let isKept = budget?.allows(summary, ratio: ratio) ?? true
        let rate = pad(decimal(summary.packetsPerSecond / 1000, digits: 1), 9)
        let allocations = decimal(summary.allocationsPerPacket, digits: 3)
        let comparison = ratio.map { "  \(decimal($0, digits: 3)) x libsrtp2" } ?? ""
        let padding = String(repeating: " ", count: max(0, 44 - name.count))
        print(
            "\(name)\(padding)\(rate) k packets/s  \(allocations) allocations/packet\(comparison)\(isKept ? "" : "  OVER BUDGET")"
        )
        return isKept
    }

    static func decimal(_ value: Double, digits: Int) -> String {
        var scale = 1
        for _ in 0..<digits { scale *= 10 }
        let scaled = Int(value * Double(scale) + 0.5)
        let fraction = String(scaled % scale)
        return "\(scaled / scale)." + String(repeating: "0", count: digits - fraction.count) + fraction
    }

    private static func pad(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}
