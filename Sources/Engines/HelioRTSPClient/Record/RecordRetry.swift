internal import HelioCore

/// The schedule of retries. They are frequent after a connection was lost, and slow if the server refuses the stream or
/// has been unreachable for long.
struct RecordRetry: Sendable {
    static let unhurried = Duration.seconds(5)
    /// The minimum duration of a successful session. If the server ends a session sooner, that counts as a refusal.
    static let leastSession = Duration.seconds(5)

    private var plan = Reconnection.retry

    /// - Parameters:
    ///   - hasAnswered: true if an RTSP server has answered in this attempt.
    ///   - published: the duration for which the server accepted the stream; `nil` if it did not.
    ///   - wish: the wait that the server has requested; `nil` for none.
    mutating func failed(hasAnswered: Bool, published: Duration?, wish: Duration?, now: Instant) -> Instant {
        if let published, published >= Self.leastSession {
            plan.succeeded()
        } else if hasAnswered {
            return now + (wish ?? Self.unhurried)
        }
        return plan.failed(now: now) ?? now + Self.unhurried
    }
}
