internal import HelioCore

/// The schedule of retries with a server that does not accept the stream: at once and often if it was lost, slowly if
/// it answers and refuses, or has been away for long.
struct RecordRetry: Sendable {
    static let unhurried = Duration.seconds(5)
    /// The shortest session that counts as a success: a server that ends one sooner is considered to refuse the stream.
    static let leastSession = Duration.seconds(5)

    private var plan = Reconnection.retry

    /// - Parameters:
    ///   - hasAnswered: whether an RTSP server answered on this try.
    ///   - published: how long it accepted the stream; `nil` if it did not.
    ///   - wish: the wait that the server has requested.
    mutating func failed(hasAnswered: Bool, published: Duration?, wish: Duration?, now: Instant) -> Instant {
        if let published, published >= Self.leastSession {
            plan.succeeded()
        } else if hasAnswered {
            return now + (wish ?? Self.unhurried)
        }
        return plan.failed(now: now) ?? now + Self.unhurried
    }
}
