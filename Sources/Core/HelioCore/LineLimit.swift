/// Bounds the lines that strangers have a log or terminal get: some at once, then one now and then with the number of those
/// that were left out.
package struct LineLimit: Sendable {
    private var bucket = TokenBucket(burst: 5, perSecond: 0.2)
    private var leftOut = 0

    package init() {}

    /// Returns the number of lines left out before one that may be written now; `nil`: this one is left out too.
    package mutating func take(now: Instant) -> Int? {
        guard bucket.take(now: now) else {
            leftOut += 1
            return nil
        }
        defer { leftOut = 0 }
        return leftOut
    }
}
