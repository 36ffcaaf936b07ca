/// So many at once, and so many a second after.
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

    /// Whether there was one left to take.
    package mutating func take(now: Instant) -> Bool {
        if let since, now > since { left = min(burst, left + (now - since).inSeconds * perSecond) }
        since = max(since ?? now, now)
        guard left >= 1 else { return false }
        left -= 1
        return true
    }
}
