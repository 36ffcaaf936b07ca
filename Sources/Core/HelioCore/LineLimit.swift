/// Limits the log or terminal lines that unauthenticated peers can cause: a burst of 5 lines, then one line every 5 s
/// with the number of omitted lines.
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
