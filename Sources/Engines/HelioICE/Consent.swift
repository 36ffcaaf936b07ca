import HelioCore
import HelioSTUN

/// The peer's consent to receive on a pair (RFC 7675), requested every 4 ... 6 s with a new transaction each time. Each
/// answer gives consent for 30 s.
struct Consent {
    /// The maximum number of pending requests. It covers the 30 s of consent, with a request every 4 s and, on a silent
    /// path, a probe each second.
    private static let maximumOutstanding = 40

    private(set) var grantedAt: Instant
    private var nextCheck: Instant
    /// True once the TCP connection or the TURN allocation of the pair has ended, so that no more answers can arrive.
    var isBroken = false
    private var outstanding: [Question] = []

    private struct Question {
        let transaction: STUNTransactionID
        let at: Instant
        /// True if the request was sent in the controlling role.
        let asControlling: Bool
    }

    init(now: Instant, random: UInt64) {
        grantedAt = now
        nextCheck = now + Self.interval(random)
    }

    /// The time to the next request: 4 ... 6 s.
    private static func interval(_ random: UInt64) -> Duration {
        .milliseconds(4000) + .microseconds(Int64(random % 2_000_001))
    }

    mutating func asked(_ transaction: STUNTransactionID, asControlling: Bool, now: Instant, random: UInt64) {
        probed(transaction, asControlling: asControlling, now: now)
        nextCheck = now + Self.interval(random)
    }

    /// Records a probe sent between two consent requests; its answer renews consent as well.
    mutating func probed(_ transaction: STUNTransactionID, asControlling: Bool, now: Instant) {
        if outstanding.count == Self.maximumOutstanding { outstanding.removeFirst() }
        outstanding.append(Question(transaction: transaction, at: now, asControlling: asControlling))
    }

    /// Removes a request that was answered by an error.
    ///
    /// - Returns: true if the request was sent in the controlling role; `nil` if no such request is pending.
    mutating func refused(_ transaction: STUNTransactionID) -> Bool? {
        guard let index = outstanding.firstIndex(where: { $0.transaction == transaction }) else { return nil }
        return outstanding.remove(at: index).asControlling
    }

    /// The time of the next request; `nil` once the connection has ended.
    var dueAt: Instant? { isBroken ? nil : nextCheck }

    func isDue(_ now: Instant) -> Bool { !isBroken && nextCheck <= now }

    func isShaky(_ now: Instant, _ settings: ICESettings) -> Bool {
        isBroken || now >= grantedAt + settings.shakyAfter
    }

    func isDisconnected(_ now: Instant, _ settings: ICESettings) -> Bool {
        isBroken || now >= grantedAt + settings.disconnectedAfter
    }

    func awaits(_ transaction: STUNTransactionID) -> Bool {
        outstanding.contains { $0.transaction == transaction }
    }

    /// Renews consent after a success response.
    ///
    /// - Returns: the time of the request; `nil` if no such request is pending.
    mutating func granted(_ transaction: STUNTransactionID, now: Instant) -> Instant? {
        let asked = outstanding.first { $0.transaction == transaction }?.at
        outstanding.removeAll { $0.transaction == transaction }
        grantedAt = now
        return asked
    }

    /// Renews the consent of a lite agent, which makes no checks: a received and answered check of the peer counts
    /// instead.
    mutating func renew(now: Instant, keepalive: Duration) {
        grantedAt = now
        keptAlive(now: now, keepalive: keepalive)
    }

    /// Records that a lite agent has sent a keepalive.
    mutating func keptAlive(now: Instant, keepalive: Duration) { nextCheck = now + keepalive }
}
