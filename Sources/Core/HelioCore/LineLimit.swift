/// Limits the lines that strangers can cause in a log or terminal: a burst first, then one every five seconds with the
/// number of omitted lines.
package struct LineLimit: Sendable {
    private var bucket = TokenBucket(burst: 5, perSecond: 0.2)
    private var leftOut = 0

    package init() {}

    /// Returns the number of lines omitted before this line, which may then be written; `nil` if this line has to be
    /// omitted too.
    package mutating func take(now: Instant) -> Int? {
        guard bucket.take(now: now) else {
            leftOut += 1
            return nil
        }
        defer { leftOut = 0 }
        return leftOut
    }
}
