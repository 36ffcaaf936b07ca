/// The back-off: the waits between tries to connect: half a second, and twice as long each time, up to eight seconds.
package struct BroadcastRetry: Sendable {
    private static let first = Duration.milliseconds(500)
    package static let longest = Duration.seconds(8)

    private var wait = first

    package init() {}

    /// The wait before the next try.
    package mutating func next() -> Duration {
        defer { wait = min(wait * 2, Self.longest) }
        return wait
    }

    /// Takes note that a connection has lasted: the next wait is the first again.
    package mutating func succeed() { wait = Self.first }
}
