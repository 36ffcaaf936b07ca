import HelioCore

/// Tells refusals from accidents: what the end of a connection means by those before it.
struct RTMPRefusals: Sendable {
    /// A stream that went on for so long was no refusal.
    private static let success = Duration.seconds(10)
    /// So often a server may hang up in answer to the key, or say no for a reason that is not known.
    private static let most = 6
    /// For so long a server may hold our last connection to be another's.
    private static let nameHeld = Duration.seconds(120)

    private var count = 0
    private var liveSince: Instant?
    /// When the last connection by which something was published ended.
    private var liveUntil: Instant?

    /// Takes note that the server takes the stream.
    mutating func begin(now: Instant) { liveSince = now }

    /// Takes note of a connection that we have ended.
    mutating func leave(now: Instant) {
        guard let since = liveSince else { return }
        if now - since >= Self.success { count = 0 }
        (liveSince, liveUntil) = (nil, now)
    }

    /// What the end of a connection means.
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
