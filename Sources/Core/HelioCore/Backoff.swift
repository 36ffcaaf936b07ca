/// The retransmission timer of a STUN request (RFC 8489 section 6.2.1): sent `count` times at distances of RTO, 2 RTO,
/// 4 RTO ..., then a last wait of `lastWait` RTO, after which it has failed.
package struct Backoff: Sendable {
    private let timeout: Duration
    private let count: Int
    private let lastWait: Int
    private var sent = 1
    /// When the next retransmission, or the failure, is due.
    package private(set) var at: Instant

    package init(timeout: Duration, count: Int, lastWait: Int, now: Instant) {
        self.timeout = timeout
        self.count = count
        self.lastWait = lastWait
        at = now + (count > 1 ? timeout : timeout * lastWait)
    }

    /// Returns true if the request is to be retransmitted; `false`: it has failed. To be called when it is due.
    package mutating func sendsAgain(now: Instant) -> Bool {
        guard sent < count else { return false }
        at = now + (sent + 1 < count ? timeout * (1 << sent) : timeout * lastWait)
        sent += 1
        return true
    }

    /// Stops retransmitting: only the last wait is left.
    package mutating func stop(now: Instant) {
        sent = count
        at = now + timeout * lastWait
    }
}
