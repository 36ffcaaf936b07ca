/// The waits between tries to connect: half a second, and twice as long each time, up to eight seconds.
package struct RTMPRetry: Sendable {
    private static let first = Duration.milliseconds(500)
    private static let longest = Duration.seconds(8)

    private var wait = first

    package init() {}

    /// The wait before the next try.
    package mutating func next() -> Duration {
        defer { wait = min(wait * 2, Self.longest) }
        return wait
    }

    /// A stream went on for a while: the next wait is the first again.
    package mutating func succeed() { wait = Self.first }
}
