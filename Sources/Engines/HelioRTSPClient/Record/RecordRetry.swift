internal import HelioCore
internal import HelioSession

/// The times at which a server that does not take the stream is tried again: at once and often where it was lost,
/// unhurriedly where it is there and refuses, or has been away for long.
struct RecordRetry: Sendable {
    static let unhurried = Duration.seconds(5)
    /// The least session that counts as a success: a server that took the stream for less refuses it in its own way.
    static let leastSession = Duration.seconds(5)

    private var plan = ReconnectPlan()

    /// - Parameters:
    ///   - hasAnswered: whether there was an RTSP server on this try.
    ///   - published: how long it took the stream; `nil`: it did not.
    ///   - wish: the wait that the server itself asks for.
    mutating func failed(hasAnswered: Bool, published: Duration?, wish: Duration?, now: Instant) -> Instant {
        if let published, published >= Self.leastSession {
            plan.succeeded()
        } else if hasAnswered {
            return now + (wish ?? Self.unhurried)
        }
        return plan.failed(now: now) ?? now + Self.unhurried
    }
}
