package import HelioCore

/// A path that several flows share: one link each way, and for each flow what its packets have waited.
package struct SharedBottleneck: Sendable {
    package enum Way: Sendable, Hashable, CaseIterable {
        case forth
        case back
    }

    /// The link that media and data take.
    package var forth: SimulatedLink
    /// The link that reports and acknowledgements take.
    package var back: SimulatedLink

    package init(forth: LinkConditions, back: LinkConditions, seed: UInt64) {
        var seeds = SeededGenerator(seed: seed)
        self.forth = SimulatedLink(forth, seed: seeds.next())
        self.back = SimulatedLink(back, seed: seeds.next())
        self.forth.keepsDepartures = true
    }

    /// Changes the conditions of both ways at `at`; in order of time.
    package mutating func change(to conditions: LinkConditions, at instant: Instant) {
        forth.steps.append((at: instant, conditions: conditions))
        back.steps.append((at: instant, conditions: conditions))
    }

    package mutating func send(_ bytes: [UInt8], flow: Int, _ way: Way, now: Instant) {
        switch way {
        case .forth: forth.send(bytes, flow: flow, now: now)
        case .back: back.send(bytes, flow: flow, now: now)
        }
    }

    /// The next datagram of any flow that has arrived by `now`.
    package mutating func deliver(_ way: Way, now: Instant) -> (flow: Int, bytes: [UInt8])? {
        switch way {
        case .forth: forth.deliverNext(now: now)
        case .back: back.deliverNext(now: now)
        }
    }

    /// The packets of a flow that have left the bottleneck forth, in order, each with what it has waited.
    package func departures(of flow: Int) -> [LinkDeparture] { forth.departures.filter { $0.flow == flow } }

    package var deadline: Deadline? { .earliest(forth.deadline, back.deadline) }
}
