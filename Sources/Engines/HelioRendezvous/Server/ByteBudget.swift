internal import HelioCore

/// A rate limit in bytes, which allows a burst at once and a steady rate afterwards.
struct ByteBudget {
    private let burst: Double
    private let perSecond: Double
    private var left: Double
    private var since: Instant

    init(burst: Int, perSecond: Int, now: Instant) {
        self.burst = Double(burst)
        self.perSecond = Double(perSecond)
        left = Double(burst)
        since = now
    }

    /// Takes `count` bytes; returns false, and takes none, if they exceed what is left.
    mutating func take(_ count: Int, now: Instant) -> Bool {
        left = min(burst, left + max(0, (now - since).inSeconds) * perSecond)
        since = max(since, now)
        guard Double(count) <= left else { return false }
        left -= Double(count)
        return true
    }
}
