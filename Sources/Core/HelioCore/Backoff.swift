/// The retransmission timer of a STUN request (RFC 8489 section 6.2.1): the request is sent `count` times at intervals
/// of RTO, 2 RTO, 4 RTO ..., and fails after a last wait of `lastWait` RTO.
package struct Backoff: Sendable {
    private let timeout: Duration
    private let count: Int
    private let lastWait: Int
    private var sent = 1
    /// The time of the next retransmission, or of the failure.
    package private(set) var at: Instant

    package init(timeout: Duration, count: Int, lastWait: Int, now: Instant) {
        self.timeout = timeout
        self.count = count
        self.lastWait = lastWait
        at = now + (count > 1 ? timeout : timeout * lastWait)
    }

    /// Returns true if the request has to be retransmitted now, false if it has failed. The caller calls this at the
    /// time `at`.
    package mutating func sendsAgain(now: Instant) -> Bool {
        guard sent < count else { return false }
        at = now + (sent + 1 < count ? timeout * (1 << sent) : timeout * lastWait)
        sent += 1
        return true
    }

    /// Stops retransmitting: the request fails `lastWait` RTO from now.
    package mutating func stop(now: Instant) {
        sent = count
        at = now + timeout * lastWait
    }
}
