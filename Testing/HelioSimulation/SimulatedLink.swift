package import HelioCore

/// One direction of a network on virtual time: seeded, so that a run can be repeated, and sans-IO.
///
/// A datagram passes a partition, the bottleneck's queue, the loss model and the wire, in that order. What befalls it
/// is drawn as it is sent; when it leaves the bottleneck depends on what changes while it waits.
package struct SimulatedLink: Sendable {
    package enum Drop: String, CaseIterable, Sendable {
        /// The loss model took it.
        case lost
        /// It was sent while the network was cut.
        case partitioned
        /// The bottleneck's queue was full.
        case queueFull
        /// CoDel dropped it, as the queue stood for too long.
        case codel
    }

    /// Counts of the datagrams so far, by their fate. Each sent one is delivered, in flight or dropped; duplicates come
    /// on top.
    package struct Counts: Sendable, Hashable {
        package fileprivate(set) var sent = 0
        package fileprivate(set) var delivered = 0
        package fileprivate(set) var duplicated = 0
        package fileprivate(set) var reordered = 0
        package fileprivate(set) var corrupted = 0
    }

    /// The link's conditions. Another rate or delay holds from the last call on, also for what waits before the
    /// bottleneck; all else for the next datagram sent.
    package var conditions: LinkConditions {
        didSet { queue.configure(conditions, now: time) }
    }
    /// The conditions to come, in order of time. Each takes effect at its time, and is then taken off.
    package var steps: [(at: Instant, conditions: LinkConditions)] = []
    /// The times of partition: all that is sent during one is lost.
    package var partitions: [Range<Instant>] = []
    package private(set) var counts = Counts()
    package private(set) var drops = DropCounter<Drop>()
    /// True where each departure from the bottleneck is to be kept in `departures`.
    package var keepsDepartures = false
    /// The datagrams that have left the bottleneck, in order; lost ones too, as they are lost behind it.
    package private(set) var departures: [LinkDeparture] = []

    private struct Flight {
        var at: Instant
        var flow: Int
        var bytes: [UInt8]
    }

    private var random: SeededGenerator
    private var queue: BottleneckQueue
    /// The datagrams on the wire, latest first, so that the next one to arrive is the last element; of two at one
    /// instant the first sent is.
    private var inFlight: [Flight] = []
    /// The datagrams before the bottleneck that will reach the wire.
    private var waitingCount = 0
    private var inBurst = false
    /// The instant up to which all that was due is done.
    private var time = Instant.zero
    private var lastInOrder = Instant.zero

    package init(_ conditions: LinkConditions, seed: UInt64) {
        self.conditions = conditions
        random = SeededGenerator(seed: seed)
        // Bursts draw their times by themselves, so that they change nobody's luck.
        queue = BottleneckQueue(conditions, seed: ~seed)
    }

    /// Sends a datagram.
    ///
    /// - Parameter flow: the number by which `departures` and `deliverNext` tell its flow.
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

    /// The next datagram that has arrived by `now`, in order of arrival.
    package mutating func deliver(now: Instant) -> [UInt8]? { deliverNext(now: now)?.bytes }

    /// The next datagram that has arrived by `now`, in order of arrival, with the number of its flow.
    package mutating func deliverNext(now: Instant) -> (flow: Int, bytes: [UInt8])? {
        advance(to: now)
        guard let next = inFlight.last, next.at <= now else { return nil }
        counts.delivered += 1
        inFlight.removeLast()
        return (next.flow, next.bytes)
    }

    /// When the next datagram arrives, or when something happens before the bottleneck that decides on that.
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

    /// How long a datagram sent at `now` would wait before the bottleneck, as far as is known.
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

    /// Does what is due up to `now`, in order of time.
    private mutating func advance(to now: Instant) {
        while let step = steps.first, step.at <= now {
            drainQueue(until: step.at)
            steps.removeFirst()
            // The setter goes by it.
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
                // One that the loss model took was counted as it was sent.
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

    /// The arrival of a packet that nothing overtakes.
    private func inOrder(_ packet: LinkPacket, leaving: Instant) -> Instant {
        max(leaving + conditions.delay + packet.jitter, lastInOrder)
    }

    private mutating func fly(_ packet: LinkPacket, at instant: Instant) {
        let index = inFlight.firstIndex { $0.at <= instant } ?? inFlight.endIndex
        inFlight.insert(Flight(at: instant, flow: packet.flow, bytes: packet.bytes), at: index)
    }

    /// The first arrival of all that waits.
    private var nextPlannedArrival: Instant? {
        var earliest: Instant?
        queue.plan { packet, leaves in
            if packet.isLost { return true }
            let arrives = inOrder(packet, leaving: leaves)
            let late = packet.isReordered ? arrives + conditions.reorderDelay : arrives
            earliest = min(earliest ?? late, late)
            // Only one that is held back can be overtaken by the next.
            return packet.isReordered
        }
        return earliest
    }
}
