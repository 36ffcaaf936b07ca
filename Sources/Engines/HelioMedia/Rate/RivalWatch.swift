import HelioCore

/// Detects a queue that rivals, other flows on the path, fill: unlike this flow's own queue it does not shrink when
/// this flow sends less.
///
/// TCP without pacing fills any queue and backs off only when it overflows. A flow that lowers its rate for such a
/// queue ends up with no bandwidth, and the queue stands all the same. So while rivals are assumed, only loss counts as
/// congestion.
struct RivalWatch: Sendable {
    /// The time for which rivals are assumed; after it, the flow reacts to queues again.
    private static let patience = Duration.seconds(12)
    /// The queue below which rivals no longer count as filling it.
    private static let low = Duration.milliseconds(10)
    /// The time that a queue may take longer to drain than the reduction of the sending rate implies.
    private static let grace = Duration.milliseconds(300)

    /// The delay that this flow's own packets may add to the rivals' queue.
    private static let room = Duration.milliseconds(50)

    /// A queue that is being drained: its longest delay, the part that should have drained, and the arrival rate at
    /// the start.
    private struct Drain {
        var longest: Duration
        var gone = Duration.zero
        var arrived: Double
        var last: Instant
    }

    private var drain: Drain?
    /// The time until which rivals are assumed, and the longest queue that they explain; `nil` while none are assumed.
    private var left: (until: Instant, most: Duration)?

    /// True while rivals fill the queue.
    var fill: Bool { left != nil }

    /// Processes the state of the queue.
    ///
    /// - Parameter mayBeNone: true if the delay has not moved lately, like that of a longer route.
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
