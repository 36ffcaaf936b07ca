package import HelioCore

/// One direction of a network on virtual time: seeded, so that a run can be repeated, and sans-IO.
///
/// A datagram passes a partition, the bottleneck's queue, the loss model and the wire, in that order.
package struct SimulatedLink: Sendable {
    package enum Drop: String, CaseIterable, Sendable {
        /// The loss model took it.
        case lost
        /// It was sent while the network was cut.
        case partitioned
        /// The bottleneck's queue was full.
        case queueFull
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

    /// The link's conditions. A change takes effect with the next datagram sent.
    package var conditions: LinkConditions
    /// The times of partition: all that is sent during one is lost.
    package var partitions: [Range<Instant>] = []
    package private(set) var counts = Counts()
    package private(set) var drops = DropCounter<Drop>()
    private var random: SeededGenerator
    /// The datagrams in flight, latest first, so that the next one to arrive is the last element; of two at one instant
    /// the first sent is.
    private var inFlight: [Flight] = []
    private var inBurst = false
    /// When the bottleneck will have sent all that it was given.
    private var bottleneckFree = Instant.zero
    private var lastInOrder = Instant.zero

    private struct Flight {
        var at: Instant
        var bytes: [UInt8]
    }

    package init(_ conditions: LinkConditions, seed: UInt64) {
        self.conditions = conditions
        random = SeededGenerator(seed: seed)
    }

    package mutating func send(_ bytes: [UInt8], now: Instant) {
        counts.sent += 1
        if partitions.contains(where: { $0.contains(now) }) { return drops.count(.partitioned) }
        var leaves = now
        if let rate = conditions.rate {
            let perByte = 8_000_000_000 / Double(rate.bitsPerSecond)
            let waiting = max(0, (bottleneckFree - now).nanoseconds)
            if Double(waiting) / perByte + Double(bytes.count) > Double(conditions.queueBytes) {
                return drops.count(.queueFull)
            }
            leaves = max(now, bottleneckFree) + .nanoseconds(Int64(Double(bytes.count) * perByte))
            bottleneckFree = leaves
        }
        if isLost() { return drops.count(.lost) }
        var bytes = bytes
        if chance(conditions.corrupt), !bytes.isEmpty {
            let bit = Int(random.next() % UInt64(bytes.count * 8))
            bytes[bit / 8] ^= 1 << (bit % 8)
            counts.corrupted += 1
        }
        var arrives = leaves + conditions.delay
        if conditions.jitter > .zero {
            arrives = arrives + .nanoseconds(Int64(random.unit() * Double(conditions.jitter.nanoseconds)))
        }
        arrives = max(arrives, lastInOrder)
        if chance(conditions.reorder) {
            counts.reordered += 1
            arrives = arrives + conditions.reorderDelay
        } else {
            lastInOrder = arrives
        }
        enqueue(bytes, at: arrives)
        if chance(conditions.duplicate) {
            counts.duplicated += 1
            enqueue(bytes, at: arrives + conditions.reorderDelay)
        }
    }

    /// The next datagram that has arrived by `now`, in order of arrival.
    package mutating func deliver(now: Instant) -> [UInt8]? {
        guard let next = inFlight.last, next.at <= now else { return nil }
        counts.delivered += 1
        return inFlight.removeLast().bytes
    }

    package var deadline: Deadline? { inFlight.last.map { Deadline(at: $0.at, why: "datagram arrives") } }
    package var inFlightCount: Int { inFlight.count }

    private mutating func enqueue(_ bytes: [UInt8], at instant: Instant) {
        let index = inFlight.firstIndex { $0.at <= instant } ?? inFlight.endIndex
        inFlight.insert(Flight(at: instant, bytes: bytes), at: index)
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
}
