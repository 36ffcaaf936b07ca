/// The back-off: the waits between tries to connect: half a second, and twice as long each time, up to eight seconds.
package struct BroadcastRetry: Sendable {
    package static let usualFirst = Duration.milliseconds(500)
    package static let longest = Duration.seconds(8)

    private let first: Duration
    private var wait: Duration

    /// - Parameter first: the wait before the second try.
    package init(first: Duration = usualFirst) { (self.first, wait) = (first, first) }

    /// The longest wait that a server may ask for.
    package static let longestAsked = Duration.seconds(120)

    /// The wait before the next try.
    ///
    /// - Parameter asked: the least that the server asks for.
    package mutating func next(atLeast asked: Duration? = nil) -> Duration {
        defer { wait = min(wait * 2, Self.longest) }
        return max(wait, min(asked ?? .zero, Self.longestAsked))
    }

    /// Takes note that a connection has lasted: the next wait is the first again.
    package mutating func succeed() { wait = first }
}
