import HelioCore

/// Measures the queue on the path: the packets' delay in excess of the minimum delay on this path.
///
/// A standing queue shows only in this excess, as its delay does not change. A longer route raises the delay as well,
/// but suddenly and by a constant amount, whereas a queue grows, shrinks when less is sent, or varies with other flows'
/// traffic.
struct QueueWatch: Sendable {
    /// The time for which the minimum delay is remembered, in two halves.
    private static let memory = Duration.seconds(30)
    /// The length of a span, of whose packets only the minimum delay counts, as the packets of one frame queue behind
    /// each other.
    private static let span = Duration.milliseconds(50)
    private static let leastPackets = 4
    /// The time for which a delay has to be steady to count as the route's, and its largest variation in that time.
    private static let patience = Duration.milliseconds(600)
    private static let steady = Duration.milliseconds(2)
    /// The time for which a delay that appeared suddenly has to be steady to count as the route's, and the growth
    /// beyond which it counts as a queue.
    private static let jumpPatience = Duration.milliseconds(300)
    private static let jumpGrowth = Duration.milliseconds(15)
    /// The maximum excess over the minimum delay that counts as jitter rather than as a queue.
    private static let limit = Duration.milliseconds(20)

    /// The queue in the newest span, as a delay.
    private(set) var queue = Duration.zero
    /// The least delays, in nanoseconds, including the clocks' offset: in this half of the memory, and in the half
    /// before.
    private var soonest: (this: Int64, before: Int64)?
    private var halfBegun = Instant.zero
    private var spanBegun: Instant?
    private var spanSoonest = Int64.max
    private var spanPackets = 0
    private var longFor = 0
    /// The shortest and the longest queue since the rate was lowered because of the queue, and the time of that
    /// decrease; `nil` if the rate was not lowered.
    private var suspicion: (least: Duration, most: Duration, since: Instant)?

    /// A sudden increase of the delay that may be a new route's: the queueing delay right after it, the lowest queueing
    /// delay since, and the time of the increase; `nil` if there is none.
    private var jump: (first: Duration, least: Duration, since: Instant)?

    /// True if the queue has stood for two spans, and is not a sudden increase that may be a longer route's.
    var isStanding: Bool { longFor >= 2 && jump == nil }
    /// True while a delay that appeared suddenly has hardly grown, so that it may be a longer route's.
    var hasJumped: Bool { jump != nil }

    /// True if the delay has been steady since the rate was lowered, so that it may be the route's delay and no queue.
    var mayBeNone: Bool { suspicion.map { isSteady($0.least, $0.most) } ?? false }

    private func isSteady(_ least: Duration, _ most: Duration) -> Bool { most - least <= max(Self.steady, most / 20) }

    /// Records a packet that arrived; `arrival` is on the peer's clock, up to an offset.
    mutating func take(sent: Instant, arrival: Instant) {
        let delay = arrival.nanoseconds &- sent.nanoseconds
        spanSoonest = min(spanSoonest, delay)
        spanPackets += 1
        let begun = spanBegun ?? arrival
        spanBegun = begun
        guard arrival - begun >= Self.span, spanPackets >= Self.leastPackets else { return }
        let least = spanSoonest
        spanBegun = arrival
        spanSoonest = .max
        spanPackets = 0
        remember(least, at: arrival)
        guard let soonest else { return }
        let before = queue
        queue = .nanoseconds(max(0, least &- min(soonest.this, soonest.before)))
        followJump(from: before, at: arrival)
        longFor = queue > Self.limit ? longFor + 1 : 0
        if queue <= Self.limit {
            suspicion = nil
        } else if let (least, most, since) = suspicion {
            suspicion = (min(least, queue), max(most, queue), since)
        }
    }

    private mutating func followJump(from before: Duration, at now: Instant) {
        guard let (first, least, since) = jump else {
            if queue - before > Self.limit, before <= Self.limit { jump = (queue, queue, now) }
            return
        }
        let lower = min(least, queue)
        // A little growth may be this flow's own queue, which grows and drains; stronger growth shows that the increase
        // is not a new route's.
        guard queue - first <= Self.jumpGrowth else {
            jump = nil
            return
        }
        jump = (first, lower, since)
        if now - since >= Self.jumpPatience { rebase(lower) }
    }

    /// Makes the present delay the route's: the new minimum.
    private mutating func rebase(_ queue: Duration) {
        guard let old = soonest else { return }
        let delay = min(old.this, old.before) &+ queue.nanoseconds
        soonest = (delay, delay)
        suspicion = nil
        jump = nil
        self.queue = .zero
        longFor = 0
    }

    private mutating func remember(_ delay: Int64, at now: Instant) {
        guard let old = soonest else {
            soonest = (delay, delay)
            halfBegun = now
            return
        }
        if now - halfBegun > Self.memory / 2 {
            soonest = (delay, old.this)
            halfBegun = now
        } else {
            soonest = (min(old.this, delay), old.before)
        }
    }

    /// Notes that the rate was lowered because of the queue.
    mutating func sendsLess(now: Instant) {
        if suspicion == nil { suspicion = (queue, queue, now) }
    }

    /// Returns whether the delay proved to be the route's and no queue, as it stayed steady for long enough at a lower
    /// rate. The delay is then the new minimum.
    mutating func wasNone(roundTrip: Duration, now: Instant) -> Bool {
        guard let (least, most, since) = suspicion,
            now - since >= max(Self.patience, roundTrip * 3)
        else { return false }
        guard isSteady(least, most) else {
            suspicion = (queue, queue, now)
            return false
        }
        rebase(queue)
        return true
    }
}
