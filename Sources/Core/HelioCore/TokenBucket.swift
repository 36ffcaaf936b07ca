/// A token bucket, which allows a burst at once and a steady rate afterwards.
package struct TokenBucket: Sendable {
    private let burst: Double
    private let perSecond: Double
    private var left: Double
    private var since: Instant?

    package init(burst: Int, perSecond: Double) {
        self.burst = Double(burst)
        self.perSecond = perSecond
        left = Double(burst)
    }

    /// True if nothing was taken that has not come back since.
    package func isFull(now: Instant) -> Bool {
        guard let since else { return true }
        return left + max(0, (now - since).inSeconds) * perSecond >= burst
    }

    /// Takes a token; returns true if there was one.
    package mutating func take(now: Instant) -> Bool {
        if let since, now > since { left = min(burst, left + (now - since).inSeconds * perSecond) }
        since = max(since ?? now, now)
        guard left >= 1 else { return false }
        left -= 1
        return true
    }
}
