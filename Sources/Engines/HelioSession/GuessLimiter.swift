import HelioCore

/// Slows down who guesses: each address has a few failures in hand, which come back with time, and so have all
/// addresses together.
struct GuessLimiter: Sendable {
    private static let burst = 5.0
    private static let overallBurst = 50.0
    /// Failures that come back each second.
    private static let refill = 0.1
    private static let overallRefill = 1.0
    private static let addressLimit = 256

    private struct Bucket {
        var failures: Double
        var since: Instant

        func level(_ now: Instant, refill: Double) -> Double {
            max(0, failures - (now - since).inSeconds * refill)
        }
    }

    private var buckets: [String: Bucket] = [:]
    private var overall = Bucket(failures: 0, since: .zero)

    func allows(_ address: String, now: Instant) -> Bool {
        if overall.level(now, refill: Self.overallRefill) > Self.overallBurst - 1 { return false }
        guard let bucket = buckets[address] else { return true }
        return bucket.level(now, refill: Self.refill) <= Self.burst - 1
    }

    mutating func failed(_ address: String, now: Instant) {
        overall = Bucket(failures: overall.level(now, refill: Self.overallRefill) + 1, since: now)
        let level = buckets[address]?.level(now, refill: Self.refill) ?? 0
        if buckets[address] == nil, buckets.count == Self.addressLimit, let mildest = mildest(now) {
            buckets[mildest] = nil
        }
        buckets[address] = Bucket(failures: level + 1, since: now)
    }

    private func mildest(_ now: Instant) -> String? {
        buckets.min { $0.value.level(now, refill: Self.refill) < $1.value.level(now, refill: Self.refill) }?.key
    }
}
