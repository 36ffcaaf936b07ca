/// When a request of STUN is due again, and when it has failed (RFC 8489 section 6.2.1): sent `count` times at distances
/// of RTO, 2 RTO, 4 RTO ..., then a last wait of so many RTO.
package struct Backoff: Sendable {
    private let timeout: Duration
    private let count: Int
    private let lastWait: Int
    private var sent = 1
    /// When something is due.
    package private(set) var at: Instant

    package init(timeout: Duration, count: Int, lastWait: Int, now: Instant) {
        self.timeout = timeout
        self.count = count
        self.lastWait = lastWait
        at = now + (count > 1 ? timeout : timeout * lastWait)
    }

    /// Whether to send again; `false`: it has failed. To be asked when it is due.
    package mutating func sendsAgain(now: Instant) -> Bool {
        guard sent < count else { return false }
        at = now + (sent + 1 < count ? timeout * (1 << sent) : timeout * lastWait)
        sent += 1
        return true
    }

    /// No more sending: what is left is a wait.
    package mutating func stop(now: Instant) {
        sent = count
        at = now + timeout * lastWait
    }
}
