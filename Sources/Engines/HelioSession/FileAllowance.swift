/// How many bytes of files a session's channel takes: what was granted to whoever has them, on a thread of its own, and
/// has not been used.
package struct FileAllowance: Sendable {
    /// The most bytes that are granted and not used.
    private static let window = 32 << 10
    /// The least bytes of a grant: one for each packet would be many.
    private static let least = 8 << 10

    private var outstanding = 0

    package init() {}

    /// Returns what is to be granted where the channel takes so many bytes now; `nil`: nothing.
    package mutating func grant(room: Int) -> Int? {
        let more = min(room, Self.window) - outstanding
        guard more >= Self.least else { return nil }
        outstanding += more
        return more
    }

    /// Notes that messages of so many bytes were sent.
    package mutating func use(_ bytes: Int) { outstanding = max(0, outstanding - bytes) }
}
