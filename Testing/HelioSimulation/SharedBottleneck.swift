package import HelioCore

/// A path that several flows share: one link in each direction, with a record of the flows' queueing delays.
package struct SharedBottleneck: Sendable {
    package enum Way: Sendable, Hashable, CaseIterable {
        case forth
        case back
    }

    /// The link for media and data.
    package var forth: SimulatedLink
    /// The link for reports and acknowledgements.
    package var back: SimulatedLink

    package init(forth: LinkConditions, back: LinkConditions, seed: UInt64) {
        var seeds = SeededGenerator(seed: seed)
        self.forth = SimulatedLink(forth, seed: seeds.next())
        self.back = SimulatedLink(back, seed: seeds.next())
        self.forth.keepsDepartures = true
    }

    /// Schedules a change of both directions' conditions; must be called in order of time.
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

    /// Returns the next datagram of any flow that has arrived by `now`; `nil` if there is none.
    package mutating func deliver(_ way: Way, now: Instant) -> (flow: Int, bytes: [UInt8])? {
        switch way {
        case .forth: forth.deliverNext(now: now)
        case .back: back.deliverNext(now: now)
        }
    }

    /// Returns the departures of a flow's packets from the forward bottleneck, in order, with their queueing delays.
    package func departures(of flow: Int) -> [LinkDeparture] { forth.departures.filter { $0.flow == flow } }

    package var deadline: Deadline? { .earliest(forth.deadline, back.deadline) }
}
