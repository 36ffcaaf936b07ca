import CMallocCount

/// The measurement of one round.
package struct Round {
    package var packets: Int
    package var elapsed: Duration
    package var allocations: Int

    package var packetsPerSecond: Double { Double(packets) / (Double(elapsed.components.attoseconds) / 1e18) }
    package var allocationsPerPacket: Double { Double(allocations) / Double(packets) }

    /// Measures `work` on `packets` packets, in less than a second.
    package static func measure(packets: Int, _ work: () -> Void) -> Round {
        let clock = ContinuousClock()
        let before = helio_malloc_count()
        let start = clock.now
        work()
        let elapsed = start.duration(to: clock.now)
        precondition(elapsed < .seconds(1), "a round of this many packets takes too long to be read off")
        return Round(packets: packets, elapsed: elapsed, allocations: helio_malloc_count() - before)
    }
}

/// The medians over several rounds.
package struct Summary {
    package let packetsPerSecond: Double
    package let allocationsPerPacket: Double

    package init(_ rounds: [Round]) {
        packetsPerSecond = Table.median(rounds.map(\.packetsPerSecond))
        allocationsPerPacket = Table.median(rounds.map(\.allocationsPerPacket))
    }
}
