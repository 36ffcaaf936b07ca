import HelioCore

/// Tells a queue that others fill from one's own: one's own falls when less is sent.
///
/// TCP without a pacer fills whatever queue there is and halves only when that overflows. Who yields to such a queue
/// yields everything, and it stands all the same; so beside such a rival only loss counts, for a while.
struct RivalWatch: Sendable {
    /// The time for which a queue is left to others, before it is tried again whether it falls.
    private static let patience = Duration.seconds(12)
    /// The queue below which nobody fills it.
    private static let low = Duration.milliseconds(10)
    /// The time beyond that at which the queue should have gone, by how much less was sent.
    private static let grace = Duration.milliseconds(300)

    /// The queue that one's own packets may add to that of others.
    private static let room = Duration.milliseconds(50)

    /// A queue that is being drained: the longest that it was, how much of it should be gone, and what arrived first.
    private struct Drain {
        var longest: Duration
        var gone = Duration.zero
        var arrived: Double
        var last: Instant
    }

    private var drain: Drain?
    /// The time until which the queue is left to others, and the queue that would be more than they made of it.
    private var left: (until: Instant, most: Duration)?

    /// True while others fill the queue.
    var fill: Bool { left != nil }

    /// Takes the state of the queue.
    ///
    /// - Parameter mayBeNone: true where it has not moved lately, as that of a longer route.
    mutating func take(
        queue: Duration, isStanding: Bool, mayBeNone: Bool, sent: Bitrate?, arrived: Bitrate?, now: Instant
    ) {
        if let (until, most) = left {
            if now >= until || queue < Self.low || queue > most { left = nil }
            return
        }
        guard isStanding, let sent, let arrived, arrived.bitsPerSecond > 0 else {
            drain = nil
            return
        }
        guard var open = drain else {
            drain = Drain(longest: queue, arrived: Double(arrived.bitsPerSecond), last: now)
            return
        }
        open.longest = max(open.longest, queue)
        let share = max(0, 1 - Double(sent.bitsPerSecond) / open.arrived)
        open.gone += .nanoseconds(Int64(Double((now - open.last).nanoseconds) * share))
        open.last = now
        drain = open
        guard open.gone > open.longest + Self.grace, !mayBeNone else { return }
        drain = nil
        left = (now + Self.patience, open.longest * 2 + Self.room)
    }
}
