internal import HelioCore

/// Decides when to probe for the loss of the last packets sent, which no later packet would show.
///
/// A still screen sends nothing: were its last frame lost, the picture would stay wrong for as long as it is still. So
/// an empty packet follows, whose number shows the gap, and others at growing distances until the peer reports that it
/// has got the newest number. The idea is TCP's (RFC 8985 section 7.3).
struct TailProbe: Sendable {
    /// The silence after which the first probe is sent: more than a frame of 30 a second, so that a moving picture has
    /// none.
    static let firstDelay = Duration.milliseconds(40)
    static let longestDelay = Duration.seconds(1)
    /// The probes after which the peer is taken for one that does not report.
    static let most = 10

    private(set) var due: Instant?
    private var delay = Self.firstDelay
    private var count = 0

    /// Begins anew: a packet of media has left.
    mutating func mediaLeft(now: Instant) {
        delay = Self.firstDelay
        due = now + delay
        count = 0
    }

    /// Takes the probe that is due; the next one is due after twice the time.
    mutating func poll(now: Instant) -> Bool {
        guard let due, now >= due else { return false }
        count += 1
        delay = min(delay * 2, Self.longestDelay)
        self.due = count < Self.most ? now + delay : nil
        return true
    }

    /// Probes at once, where something is still unacknowledged: what was sent so far may have gone nowhere.
    mutating func hurry(now: Instant) {
        guard due != nil else { return }
        mediaLeft(now: now)
        due = now
    }

    /// Stops: all has arrived, or nothing is sent any more.
    mutating func stop() { due = nil }

    var deadline: Deadline? { due.map { Deadline(at: $0, why: "tail probe") } }
}
