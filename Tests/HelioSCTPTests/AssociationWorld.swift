import HelioCore
import HelioSCTP
import HelioSimulation

/// Two associations and the network between them.
struct AssociationWorld: ~Copyable {
    var stepper: TwoPeerStepper<AssociationPeer, AssociationPeer>

    init(
        _ conditions: LinkConditions = LinkConditions(delay: .milliseconds(5)), seed: UInt64 = 1,
        a: SCTPConfiguration = SCTPConfiguration(), b: SCTPConfiguration = SCTPConfiguration(),
        firstTSNs: (UInt32, UInt32)? = nil
    ) throws {
        stepper = TwoPeerStepper(
            a: try AssociationPeer(a, seed: seed &* 2, firstTSN: firstTSNs?.0),
            b: try AssociationPeer(b, seed: seed &* 2 &+ 1, firstTSN: firstTSNs?.1),
            network: SimulatedNetwork(conditions, seed: seed))
    }

    var now: Instant { stepper.now }
    var areConnected: Bool { stepper.a.isConnected && stepper.b.isConnected }

    /// Opens the association from `a`, and from `b` too if `both`.
    mutating func connect(both: Bool = false) {
        stepper.a.association.connect(now: now)
        if both { stepper.b.association.connect(now: now) }
    }

    mutating func run(_ duration: Duration) throws { try stepper.run(for: duration) }

    /// Runs until `isDone`, or for `limit`; returns whether it is done.
    mutating func run(atMost limit: Duration, until isDone: (borrowing AssociationWorld) -> Bool) throws -> Bool {
        let end = now + limit
        while !isDone(self) {
            guard try stepper.step(until: end) else { return isDone(self) }
        }
        return true
    }
}
