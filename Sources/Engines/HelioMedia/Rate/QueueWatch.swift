import HelioCore

/// Measures the queue on the path: how much later packets come than the soonest ones did.
///
/// A queue that stands is seen by this alone, as its delay does not change. What looks like one and is none is another
/// route: its delay is there at once and then stays, where a queue grows, becomes shorter when less is sent, or moves
/// with what others send.
struct QueueWatch: Sendable {
    /// The time over which the soonest packets count, in two halves.
    private static let memory = Duration.seconds(30)
    /// The soonest packet of so long a time stands for it: a frame's own packets wait for each other.
    private static let span = Duration.milliseconds(50)
    private static let leastPackets = 4
    /// The time for which a queue has to be the same to be none, and how far it may move in it.
    private static let patience = Duration.milliseconds(600)
    private static let steady = Duration.milliseconds(2)
    /// The time for which one that was there at once has to be the same.
    private static let jumpPatience = Duration.milliseconds(300)
    private static let jumpGrowth = Duration.milliseconds(15)
    /// The queue that is no mere jitter.
    private static let limit = Duration.milliseconds(20)

    /// The queue of the newest span.
    private(set) var queue = Duration.zero
    /// The delay of the soonest packets, in nanoseconds, with the clocks' offset: of this half of the memory, and of
    /// the one before.
    private var soonest: (this: Int64, before: Int64)?
    private var halfBegun = Instant.zero
    private var spanBegun: Instant?
    private var spanSoonest = Int64.max
    private var spanPackets = 0
    private var longFor = 0
    /// The shortest and the longest that the queue was since less is sent because of it.
    private var suspicion: (least: Duration, most: Duration, since: Instant)?

    /// The queue that was there at once, and the shortest that it was since.
    private var jump: (first: Duration, least: Duration, since: Instant)?

    /// True where a queue has stood for two spans.
    var isStanding: Bool { longFor >= 2 && jump == nil }
    /// True where it was there at once and has hardly grown since, so that it will soon be known whether it is one.
    var hasJumped: Bool { jump != nil }

    /// True where the queue has not moved since less is sent: so it may be none.
    var mayBeNone: Bool { suspicion.map { isSteady($0.least, $0.most) } ?? false }

    private func isSteady(_ least: Duration, _ most: Duration) -> Bool { most - least <= max(Self.steady, most / 20) }

    /// Takes a packet that arrived.
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
        // One's own queue, that is there beside, may grow or go meanwhile; what is no route grows fast.
        guard queue - first <= Self.jumpGrowth else {
            jump = nil
            return
        }
        jump = (first, lower, since)
        if now - since >= Self.jumpPatience { rebase(lower) }
    }

    /// Takes what packets take now for what the route takes.
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

    /// Notes that less is sent because of the queue.
    mutating func sendsLess(now: Instant) {
        if suspicion == nil { suspicion = (queue, queue, now) }
    }

    /// Returns whether the queue was none: less was sent for long enough, and it did not move. What packets take now is
    /// what the route takes from then on.
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
