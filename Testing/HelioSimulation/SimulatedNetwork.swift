package import HelioCore

/// A simulated network between the peers `a` and `b`, with a link in each direction.
package struct SimulatedNetwork: Sendable {
    package var aToB: SimulatedLink
    package var bToA: SimulatedLink

    package init(aToB: LinkConditions, bToA: LinkConditions, seed: UInt64) {
        var seeds = SeededGenerator(seed: seed)
        self.aToB = SimulatedLink(aToB, seed: seeds.next())
        self.bToA = SimulatedLink(bToA, seed: seeds.next())
    }

    /// Uses the same conditions in both directions, each with its own random outcomes.
    package init(_ conditions: LinkConditions, seed: UInt64) {
        self.init(aToB: conditions, bToA: conditions, seed: seed)
    }

    /// Drops all datagrams in both directions that are sent during a time window.
    package mutating func partition(_ window: Range<Instant>) {
        aToB.partitions.append(window)
        bToA.partitions.append(window)
    }

    package var deadline: Deadline? { .earliest(aToB.deadline, bToA.deadline) }
}
