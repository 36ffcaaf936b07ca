internal import HelioCore

/// How many messages somebody may send: some at once, and then so many a second.
struct MessageAllowance {
    private let burst: Double
    private let perSecond: Double
    private var left: Double
    private var since: Instant

    init(burst: Int, perSecond: Double, now: Instant) {
        self.burst = Double(burst)
        self.perSecond = perSecond
        left = Double(burst)
        since = now
    }

    /// Whether there was one left to take.
    mutating func take(now: Instant) -> Bool {
        left = min(burst, left + max(0, (now - since).inSeconds) * perSecond)
        since = now
        guard left >= 1 else { return false }
        left -= 1
        return true
    }
}
