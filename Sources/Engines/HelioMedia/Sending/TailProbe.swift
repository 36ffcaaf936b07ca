internal import HelioCore

/// Decides when to probe for the loss of the last packets sent, which no later packet would reveal.
///
/// A still screen sends nothing: if its last frame were lost, the picture would stay wrong for as long as it is still.
/// So a packet without content is sent, whose number reveals the gap, and further ones at growing intervals until the
/// peer reports the newest number. The idea is TCP's (RFC 8985 section 7.3).
struct TailProbe: Sendable {
    /// The pause after which the first probe is sent: longer than a frame at 30 a second, so that moving pictures cause
    /// none.
    static let firstDelay = Duration.milliseconds(40)
    static let longestDelay = Duration.seconds(1)
    /// The number of probes after which the peer is assumed not to report.
    static let most = 10

    private(set) var due: Instant?
    private var delay = Self.firstDelay
    private var count = 0

    /// Restarts the timer, as a packet of media has left.
    mutating func mediaLeft(now: Instant) {
        delay = Self.firstDelay
        due = now + delay
        count = 0
    }

    /// Returns whether a probe is due; the delay doubles with each probe.
    mutating func poll(now: Instant) -> Bool {
        guard let due, now >= due else { return false }
        count += 1
        delay = min(delay * 2, Self.longestDelay)
        self.due = count < Self.most ? now + delay : nil
        return true
    }

    /// Makes a probe due at once after a change of the path, if a packet may be unacknowledged.
    mutating func hurry(now: Instant) {
        guard due != nil else { return }
        mediaLeft(now: now)
        due = now
    }

    /// Stops the timer: everything has arrived, or the stream has stopped.
    mutating func stop() { due = nil }

    var deadline: Deadline? { due.map { Deadline(at: $0, why: "tail probe") } }
}
