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
        packetsPerSecond = Table.median(rounds.map(\.packetsPerSecond))
        allocationsPerPacket = Table.median(rounds.map(\.allocationsPerPacket))
    }
}
