import HelioCore

/// So many messages at once, and so many a second after (a token bucket).
struct MessageBudget: Sendable {
    private let burst: Double
    private let perSecond: Double
    private var left: Double
    private var since: Instant?

    init(burst: Int, perSecond: Int) {
        self.burst = Double(burst)
        self.perSecond = Double(perSecond)
        left = Double(burst)
    }

    /// Whether one more is within it.
    mutating func take(now: Instant) -> Bool {
        if let since, now > since { left = min(burst, left + (now - since).inSeconds * perSecond) }
        since = max(since ?? now, now)
        guard left >= 1 else { return false }
        left -= 1
        return true
    }
}
