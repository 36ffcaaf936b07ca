import HelioCore

/// Distinguishes a server's refusals from lost connections, by the way in which this and earlier connections ended.
struct RTMPRefusals: Sendable {
    /// The minimum duration of a stream whose end is not considered a refusal.
    private static let success = Duration.seconds(10)
    /// The number of failures without a success between them after which the failure is final and not retried: the
    /// server hangs up after receiving the stream key, or refuses for an unknown reason.
    private static let most = 6
    /// The time after our last connection in which a server may still consider the stream's name in use.
    private static let nameHeld = Duration.seconds(120)

    private var count = 0
    private var liveSince: Instant?
    /// The time at which the last connection that had published ended.
    private var liveUntil: Instant?

    /// Records that the server accepts the stream.
    mutating func begin(now: Instant) { liveSince = now }

    /// Records the end of a connection that this end has closed.
    mutating func leave(now: Instant) {
        guard let since = liveSince else { return }
        if now - since >= Self.success { count = 0 }
        (liveSince, liveUntil) = (nil, now)
    }

    /// Records that the server has ended a connection. Returns the failure to report, which also depends on how earlier
    /// connections ended.
    mutating func judge(_ failure: RTMPFailure, now: Instant) -> RTMPFailure {
        let duration = liveSince.map { now - $0 }
        leave(now: now)
        switch failure {
        case .badKey: return liveUntil.map { now - $0 < Self.nameHeld } ?? false ? .nameInUse : .badKey
        case .lost where duration.map({ $0 < Self.success }) ?? false, .hungUp:
            return isLast() ? .hangsUp : .hungUp
        case .busy where duration == nil: return isLast() ? .unknown : .busy
        default: return failure
        }
    }

    private mutating func isLast() -> Bool {
        count += 1
        return count >= Self.most
    }
}
