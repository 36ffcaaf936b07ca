internal import HelioCore
internal import HelioSession

/// When a server that does not take the stream is tried again: at once and often where it was lost, unhurriedly where
/// it is there and refuses, or has been away for long.
struct RecordRetry: Sendable {
    static let unhurried = Duration.seconds(5)
    /// A server that took the stream for less than this refuses it in its own way.
    static let leastSession = Duration.seconds(5)

    private var plan = ReconnectPlan()

    /// - Parameters:
    ///   - hasAnswered: whether there was an RTSP server on this try.
    ///   - published: how long it took the stream; `nil`: it did not.
    ///   - wish: when the server itself wants to be asked again.
    mutating func failed(hasAnswered: Bool, published: Duration?, wish: Duration?, now: Instant) -> Instant {
        if let published, published >= Self.leastSession {
            plan.succeeded()
        } else if hasAnswered {
            return now + (wish ?? Self.unhurried)
        }
        return plan.failed(now: now) ?? now + Self.unhurried
    }
}
