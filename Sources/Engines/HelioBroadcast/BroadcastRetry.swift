/// The backoff between attempts to connect: half a second, doubled each time, up to eight seconds.
package struct BroadcastRetry: Sendable {
    package static let usualFirst = Duration.milliseconds(500)
    package static let longest = Duration.seconds(8)

    private let first: Duration
    private var wait: Duration

    /// - Parameter first: the wait before the second attempt.
    package init(first: Duration = usualFirst) { (self.first, wait) = (first, first) }

    /// The longest wait that a server can request.
    package static let longestAsked = Duration.seconds(120)

    /// The wait before the next attempt.
    ///
    /// - Parameter asked: the shortest wait that the server requests.
    package mutating func next(atLeast asked: Duration? = nil) -> Duration {
        defer { wait = min(wait * 2, Self.longest) }
        return max(wait, min(asked ?? .zero, Self.longestAsked))
    }

    /// Resets the wait to the first one, as a connection has lasted.
    package mutating func succeed() { wait = first }
}
