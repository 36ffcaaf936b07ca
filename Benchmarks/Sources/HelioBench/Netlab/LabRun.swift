import HelioCore
import HelioProtection
import HelioSimulation

/// A run of a simulated network on virtual time: equal seeds give equal figures.
struct LabRun {
    private struct Ends {
        var near: any SimulatedPeer
        var far: any SimulatedPeer
    }

    /// The delay of an end that requests to be called at once, although it was just called.
    private static let patience = Duration.microseconds(100)

    private let network: LabNetwork
    private let flows: [LabFlow]
    private var ends: [Ends]
    private var bottleneck: SharedBottleneck
    private var time = VirtualTime()
    private var nextSample = Instant.zero
    /// The received bits of the rival flow, by slot.
    private var rivalBits: [Int]

    init(_ network: LabNetwork, seed: UInt64) throws(CryptoError) {
        self.network = network
        var trace = SeedTrace()
        trace.add(network.name)
        // A network's results don't depend on which others are run.
        var random = SeededGenerator(seed: seed ^ trace.digest)
        let conditions = network.phases[0].conditions
        bottleneck = SharedBottleneck(forth: conditions, back: conditions, seed: random.next())
        for phase in network.phases.dropFirst() { bottleneck.change(to: phase.conditions, at: Instant.zero + phase.at) }
        var flows: [LabFlow] = []
        for number in network.starts.indices {
            flows.append(
                try LabFlow(network, number: number, roundTrip: conditions.delay * 2, random: &random))
        }
        self.flows = flows
        ends = flows.map { Ends(near: $0.source, far: $0.viewer) }
        if network.hasRival {
            let rival = CubicFlow()
            ends.append(Ends(near: rival.sender, far: rival.receiver))
        }
        rivalBits = Array(
            repeating: 0, count: Int(network.length.nanoseconds / LabMeter.slot.nanoseconds) + 1)
    }

    /// Runs to the end.
    mutating func run() throws(Livelock) -> LabOutcome {
        let end = Instant.zero + network.length
        // Starts the ends that begin at once.
        for index in ends.indices {
            ends[index].near.tick(now: time.now)
            ends[index].far.tick(now: time.now)
        }
        var isRunning = true
        while isRunning {
            try settle()
            isRunning = try step(until: end)
        }
        return LabOutcome(
            network, meters: flows.map(\.meter), departures: flows.indices.map { bottleneck.departures(of: $0) },
            rivalBits: rivalBits)
    }

    /// Advances to the next event, and executes it.
    private mutating func step(until end: Instant) throws(Livelock) -> Bool {
        var next = Deadline.earliest(Deadline(at: nextSample, why: "sample"), bottleneck.deadline)
        for pair in ends {
            next = .earliest(next, .earliest(due(pair.near.deadline), due(pair.far.deadline)))
        }
        guard try time.advance(to: next, until: end) else { return false }
        let now = time.now
        if now >= nextSample { sample(now) }
        for index in ends.indices {
            if let due = ends[index].near.deadline, due.at <= now { ends[index].near.tick(now: now) }
            if let due = ends[index].far.deadline, due.at <= now { ends[index].far.tick(now: now) }
        }
        return true
    }

    /// An end's deadline; a little later if it is now, as the end was just called.
    private func due(_ deadline: Deadline?) -> Deadline? {
        guard let deadline, deadline.at <= time.now else { return deadline }
        return Deadline(at: time.now + Self.patience, why: deadline.why)
    }

    /// Passes the current round trip to the viewers, as a ping would measure it.
    private mutating func sample(_ now: Instant) {
        nextSample = now + LabMeter.slot
        let (forth, back) = (bottleneck.forth, bottleneck.back)
        var roundTrip = Duration.zero
        roundTrip += forth.conditions.delay + forth.conditions.jitter / 2 + forth.queueDelay(now: now)
        roundTrip += back.conditions.delay + back.conditions.jitter / 2 + back.queueDelay(now: now)
        for flow in flows { flow.viewer.roundTrip = roundTrip }
    }

    /// Sends and delivers packets until none is left at this instant.
    private mutating func settle() throws(Livelock) {
        let now = time.now
        var isBusy = true
        while isBusy {
            isBusy = false
            for index in ends.indices {
                while let bytes = ends[index].near.pollDatagram(now: now) {
                    try time.countStep("a source sends")
                    if index < flows.count { flows[index].meter.gave(bytes: bytes.count, now: now) }
                    bottleneck.send(bytes, flow: index, .forth, now: now)
                }
                while let bytes = ends[index].far.pollDatagram(now: now) {
                    try time.countStep("a viewer sends")
                    bottleneck.send(bytes, flow: index, .back, now: now)
                }
            }
            while let (index, bytes) = bottleneck.deliver(.forth, now: now) {
                if index >= flows.count { noteRival(bytes.count, now) }
                ends[index].far.receive(bytes, now: now)
                isBusy = true
            }
            while let (index, bytes) = bottleneck.deliver(.back, now: now) {
                ends[index].near.receive(bytes, now: now)
                isBusy = true
            }
        }
    }

    private mutating func noteRival(_ bytes: Int, _ now: Instant) {
        rivalBits[min(rivalBits.count - 1, Int(now.nanoseconds / LabMeter.slot.nanoseconds))] += bytes * 8
    }
}
