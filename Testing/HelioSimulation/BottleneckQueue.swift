internal import DequeModule
import HelioCore

/// A bottleneck link with its queue: packets leave in order, at the link's rate or in bursts.
///
/// Departures of queued packets are not fixed in advance, as a change of rate or a dropped packet shifts them.
struct BottleneckQueue: Sendable {
    /// The outcome for a queued packet: it left the queue or was dropped.
    enum Outcome: Sendable {
        /// The packet was transmitted, after waiting for this time in the queue.
        case left(LinkPacket, at: Instant, waited: Duration)
        /// The queue discipline dropped the packet.
        case dropped(LinkPacket)
    }

    private struct UnderWay {
        var packet: LinkPacket
        var waited: Duration
        var leaves: Instant
    }

    /// The transmission time of a byte in nanoseconds; 0 if the link has no rate limit.
    private var perByte: Double
    private var discipline: QueueDiscipline
    private var aggregation: LinkAggregation?
    private var waiting = Deque<LinkPacket>()
    private var waitingBytes = 0
    private var current: UnderWay?
    private var dropped = Deque<LinkPacket>()
    private var codel = CoDel()

    // The schedule of bursts advances even while the queue is empty.
    private var formerBurst = Instant.zero
    private var nextBurst = Instant.zero
    private var isBursting = false
    /// The number of bytes that the current burst may still send.
    private var allowance = 0.0
    private var random: SeededGenerator

    init(_ conditions: LinkConditions, seed: UInt64) {
        perByte = Self.perByte(conditions.rate)
        discipline = conditions.discipline
        aggregation = conditions.aggregation
        random = SeededGenerator(seed: seed)
    }

    private static func perByte(_ rate: Bitrate?) -> Double {
        rate.map { 8_000_000_000 / Double($0.bitsPerSecond) } ?? 0
    }

    /// Applies new conditions. The rest of the packet in transmission continues at the new rate.
    mutating func configure(_ conditions: LinkConditions, now: Instant) {
        let former = perByte
        perByte = Self.perByte(conditions.rate)
        discipline = conditions.discipline
        aggregation = conditions.aggregation
        if let leaves = current?.leaves, perByte != former {
            let left = former > 0 ? Double(max(0, (leaves - now).nanoseconds)) / former : 0
            current?.leaves = now + .nanoseconds(Int64(left * perByte))
        }
        if sendsInBursts {
            if !waiting.isEmpty, nextBurst <= now { planBurst(after: now) }
        } else if current == nil {
            sendNext(at: now)
        }
    }

    /// Appends a packet that arrives at its time `queued`. The caller must first have polled all outcomes until then.
    mutating func append(_ packet: LinkPacket) {
        let isFirst = waiting.isEmpty
        waitingBytes += packet.size
        waiting.append(packet)
        if sendsInBursts {
            if isFirst { planBurst(after: packet.queued) }
        } else if current == nil {
            sendNext(at: packet.queued)
        }
    }

    /// Returns the next outcome that is due by `now`; `nil` if there is none.
    mutating func poll(until now: Instant) -> Outcome? {
        if let packet = dropped.popFirst() { return .dropped(packet) }
        if let leaving = current {
            guard leaving.leaves <= now else { return nil }
            current = nil
            if sendsInBursts {
                if !waiting.isEmpty, nextBurst <= leaving.leaves { planBurst(after: leaving.leaves) }
            } else {
                sendNext(at: leaving.leaves)
            }
            return .left(leaving.packet, at: leaving.leaves, waited: leaving.waited)
        }
        return sendsInBursts ? pollBurst(until: now) : nil
    }

    /// The time of the next departure.
    var deadline: Instant? { current?.leaves ?? (sendsInBursts && !waiting.isEmpty ? nextBurst : nil) }

    var isEmpty: Bool { current == nil && waiting.isEmpty }

    /// Returns the number of queued bytes, including the rest of the packet in transmission.
    func bytes(at now: Instant) -> Double {
        var underWay = 0.0
        if let current, perByte > 0 { underWay = Double(max(0, (current.leaves - now).nanoseconds)) / perByte }
        return underWay + Double(waitingBytes)
    }

    /// Returns how long a packet that arrives now would wait, if none is dropped.
    func delay(at now: Instant) -> Duration { .nanoseconds(Int64(bytes(at: now) * perByte)) }

    /// True if `plan` can compute the departures of all queued packets: without CoDel and bursts.
    var isPlanned: Bool { discipline == .dropTail && !sendsInBursts }

    /// Calls `body` with each queued packet and its planned departure, until `body` returns false.
    func plan(_ body: (LinkPacket, Instant) -> Bool) {
        guard let current, body(current.packet, current.leaves) else { return }
        var leaves = current.leaves
        for offset in 0..<waiting.count {
            leaves = leaves + transmission(of: waiting[offset])
            guard body(waiting[offset], leaves) else { return }
        }
    }

    private var sendsInBursts: Bool { aggregation != nil && perByte > 0 }

    private func transmission(of packet: LinkPacket) -> Duration {
        .nanoseconds(Int64(Double(packet.size) * perByte))
    }

    private mutating func sendNext(at now: Instant) {
        guard let packet = dequeue(at: now) else { return }
        current = UnderWay(packet: packet, waited: now - packet.queued, leaves: now + transmission(of: packet))
    }

    private mutating func dequeue(at now: Instant) -> LinkPacket? {
        while let packet = waiting.popFirst() {
            waitingBytes -= packet.size
            guard discipline == .codel, codel.drops(waited: now - packet.queued, left: waitingBytes, now: now) else {
                return packet
            }
            dropped.append(packet)
        }
        codel.ranEmpty()
        return nil
    }

    // MARK: Bursts

    private mutating func pollBurst(until now: Instant) -> Outcome? {
        while let first = waiting.first, nextBurst <= now {
            if !isBursting {
                isBursting = true
                allowance += Double((nextBurst - formerBurst).nanoseconds) / perByte
            }
            if Double(first.size) <= allowance {
                guard let packet = dequeue(at: nextBurst) else { return dropped.popFirst().map(Outcome.dropped) }
                allowance -= Double(packet.size)
                return .left(packet, at: nextBurst, waited: nextBurst - packet.queued)
            }
            // The remaining packets wait for the next burst, which inherits the unused allowance.
            isBursting = false
            formerBurst = nextBurst
            nextBurst = nextBurst + drawInterval()
        }
        return nil
    }

    /// Schedules the next burst when a packet arrives at an empty queue; the allowance of earlier bursts expires.
    private mutating func planBurst(after now: Instant) {
        isBursting = false
        allowance = 0
        while nextBurst <= now {
            formerBurst = nextBurst
            nextBurst = nextBurst + drawInterval()
        }
    }

    private mutating func drawInterval() -> Duration {
        let bounds = aggregation ?? LinkAggregation()
        let isShort = random.next() & 1 == 0
        let from = isShort ? bounds.least : bounds.typical
        let to = isShort ? bounds.typical : bounds.most
        // Never zero, so that time advances.
        return max(.microseconds(1), from + .nanoseconds(Int64(random.unit() * Double((to - from).nanoseconds))))
    }
}
