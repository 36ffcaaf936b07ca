package import HelioCore

/// A simulated network in one direction, in virtual time and sans-IO, and seeded so that a run is reproducible.
///
/// A datagram passes the check for a partition, the bottleneck's queue, the loss model and the wire, in this order. Its
/// random outcomes are drawn when it is sent; its departure from the bottleneck depends on changes of the conditions
/// while it is queued.
package struct SimulatedLink: Sendable {
    package enum Drop: String, CaseIterable, Sendable {
        /// The loss model dropped the datagram.
        case lost
        /// The datagram was sent during a partition.
        case partitioned
        /// The bottleneck's queue was full.
        case queueFull
        /// CoDel dropped the datagram, because the queueing delay was too high for too long.
        case codel
    }

    /// The numbers of datagrams so far. Each sent datagram is delivered, in flight or dropped; duplicates are delivered
    /// in addition.
    package struct Counts: Sendable, Hashable {
        package fileprivate(set) var sent = 0
        package fileprivate(set) var delivered = 0
        package fileprivate(set) var duplicated = 0
        package fileprivate(set) var reordered = 0
        package fileprivate(set) var corrupted = 0
    }

    /// The link's conditions. A change of rate or delay takes effect at the time of the last call of a method, for
    /// queued datagrams too; other changes affect datagrams that are sent later.
    package var conditions: LinkConditions {
        didSet { queue.configure(conditions, now: time) }
    }
    /// The scheduled conditions, in order of time. Each element takes effect at its time, and is then removed.
    package var steps: [(at: Instant, conditions: LinkConditions)] = []
    /// The time ranges of network partitions; a datagram sent during a partition is lost.
    package var partitions: [Range<Instant>] = []
    package private(set) var counts = Counts()
    package private(set) var drops = DropCounter<Drop>()
    /// True to record each departure from the bottleneck in `departures`.
    package var keepsDepartures = false
    /// The datagrams that have left the bottleneck, in order, including those that the loss model then drops.
    package private(set) var departures: [LinkDeparture] = []

    private struct Flight {
        var at: Instant
        var flow: Int
        var bytes: [UInt8]
    }

    private var random: SeededGenerator
    private var queue: BottleneckQueue
    /// The datagrams on the wire, in descending order of arrival, so that the next to arrive is the last element.
    /// Datagrams with the same arrival time keep the order of sending.
    private var inFlight: [Flight] = []
    /// The number of queued datagrams that are not lost.
    private var waitingCount = 0
    private var inBurst = false
    /// The time up to which all due events were processed.
    private var time = Instant.zero
    private var lastInOrder = Instant.zero

    package init(_ conditions: LinkConditions, seed: UInt64) {
        self.conditions = conditions
        random = SeededGenerator(seed: seed)
        // The schedule of bursts uses its own generator, so that it doesn't change the other random outcomes.
        queue = BottleneckQueue(conditions, seed: ~seed)
    }

    /// Sends a datagram at `now`, which must not be before the time of an earlier call.
    ///
    /// - Parameter flow: the number of its flow in `departures` and `deliverNext`.
    package mutating func send(_ bytes: [UInt8], flow: Int = 0, now: Instant) {
        advance(to: now)
        counts.sent += 1
        if partitions.contains(where: { $0.contains(now) }) { return drops.count(.partitioned) }
        if conditions.rate != nil, queue.bytes(at: now) + Double(bytes.count) > Double(conditions.queueBytes) {
            return drops.count(.queueFull)
        }
        var packet = LinkPacket(bytes, flow: flow, queued: now)
        if isLost() {
            drops.count(.lost)
            packet.isLost = true
            packet.bytes = []
        } else {
            drawFate(of: &packet)
            waitingCount += 1
        }
        guard conditions.rate != nil else { return leave(packet, at: now, waited: .zero) }
        queue.append(packet)
    }

    /// Returns the next datagram that has arrived by `now`, in order of arrival; `nil` if there is none.
    package mutating func deliver(now: Instant) -> [UInt8]? { deliverNext(now: now)?.bytes }

    /// Returns the next datagram that has arrived by `now`, in order of arrival, with its flow's number; `nil` if there
    /// is none.
    package mutating func deliverNext(now: Instant) -> (flow: Int, bytes: [UInt8])? {
        advance(to: now)
        guard let next = inFlight.last, next.at <= now else { return nil }
        counts.delivered += 1
        inFlight.removeLast()
        return (next.flow, next.bytes)
    }

    /// The time of the next arrival, or of an earlier event that may change it: a departure from the bottleneck or a
    /// scheduled change.
    package var deadline: Deadline? {
        let arrival = inFlight.last.map { Deadline(at: $0.at, why: "datagram arrives") }
        guard !queue.isEmpty else { return arrival }
        let step = steps.first.map { Deadline(at: $0.at, why: "other conditions") }
        let leaving =
            queue.isPlanned
            ? nextPlannedArrival.map { Deadline(at: $0, why: "datagram arrives") }
            : queue.deadline.map { Deadline(at: $0, why: "datagram leaves the bottleneck") }
        return .earliest(arrival, .earliest(leaving, step))
    }

    package var inFlightCount: Int { inFlight.count + waitingCount }

    /// Returns the expected queueing delay of a datagram sent at `now`.
    package func queueDelay(now: Instant) -> Duration { queue.delay(at: now) }

    // MARK: Sending

    private mutating func drawFate(of packet: inout LinkPacket) {
        if chance(conditions.corrupt), !packet.bytes.isEmpty {
            let bit = Int(random.next() % UInt64(packet.bytes.count * 8))
            packet.bytes[bit / 8] ^= 1 << (bit % 8)
            counts.corrupted += 1
        }
        if conditions.jitter > .zero {
            packet.jitter = .nanoseconds(Int64(random.unit() * Double(conditions.jitter.nanoseconds)))
        }
        packet.isReordered = chance(conditions.reorder)
        packet.isDuplicated = chance(conditions.duplicate)
    }

    private mutating func chance(_ probability: Double) -> Bool {
        probability > 0 && random.unit() < probability
    }

    private mutating func isLost() -> Bool {
        switch conditions.loss {
        case .none: return false
        case .random(let share): return chance(share)
        case .bursts(let entering, let leaving, let lossInBurst):
            inBurst = inBurst ? !chance(leaving) : chance(entering)
            return inBurst && chance(lossInBurst)
        }
    }

    // MARK: The bottleneck and the wire

    /// Processes all departures and scheduled changes up to `now`, in order of time.
    private mutating func advance(to now: Instant) {
        while let step = steps.first, step.at <= now {
            drainQueue(until: step.at)
            steps.removeFirst()
            // Set `time` first, as the setter of `conditions` uses it.
            time = max(time, step.at)
            conditions = step.conditions
        }
        drainQueue(until: now)
        time = max(time, now)
    }

    private mutating func drainQueue(until now: Instant) {
        while let outcome = queue.poll(until: now) {
            switch outcome {
            case .left(let packet, let at, let waited): leave(packet, at: at, waited: waited)
            case .dropped(let packet):
                // Datagrams that the loss model drops were already counted in `send`.
                guard !packet.isLost else { continue }
                waitingCount -= 1
                drops.count(.codel)
            }
        }
    }

    private mutating func leave(_ packet: LinkPacket, at leaves: Instant, waited: Duration) {
        if keepsDepartures {
            departures.append(LinkDeparture(flow: packet.flow, size: packet.size, left: leaves, waited: waited))
        }
        guard !packet.isLost else { return }
        waitingCount -= 1
        var arrives = inOrder(packet, leaving: leaves)
        if packet.isReordered {
            counts.reordered += 1
            arrives = arrives + conditions.reorderDelay
        } else {
            lastInOrder = arrives
        }
        fly(packet, at: arrives)
        if packet.isDuplicated {
            counts.duplicated += 1
            fly(packet, at: arrives + conditions.reorderDelay)
        }
    }

    /// Returns the arrival time of a packet without reordering: not before the arrival of an earlier packet.
    private func inOrder(_ packet: LinkPacket, leaving: Instant) -> Instant {
        max(leaving + conditions.delay + packet.jitter, lastInOrder)
    }

    private mutating func fly(_ packet: LinkPacket, at instant: Instant) {
        let index = inFlight.firstIndex { $0.at <= instant } ?? inFlight.endIndex
        inFlight.insert(Flight(at: instant, flow: packet.flow, bytes: packet.bytes), at: index)
    }

    /// The earliest arrival of the queued packets, if the conditions stay the same.
    private var nextPlannedArrival: Instant? {
        var earliest: Instant?
        queue.plan { packet, leaves in
            if packet.isLost { return true }
            let arrives = inOrder(packet, leaving: leaves)
            let late = packet.isReordered ? arrives + conditions.reorderDelay : arrives
            earliest = min(earliest ?? late, late)
            // Continue after a delayed packet only, as only such a packet can be overtaken.
            return packet.isReordered
        }
        return earliest
    }
}
