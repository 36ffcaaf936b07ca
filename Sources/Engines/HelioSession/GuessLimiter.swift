import HelioCore

/// Slows down who guesses: each address has a few failures in hand, which come back with time, and so have all
/// addresses together.
struct GuessLimiter: Sendable {
    private static let addressLimit = 256

    private let burst: Double
    private let overallBurst: Double
    /// Failures that come back each second.
    private let refill: Double
    private let overallRefill: Double

    private struct Bucket {
        var failures: Double
        var since: Instant

        func level(_ now: Instant, refill: Double) -> Double {
            max(0, failures - (now - since).inSeconds * refill)
        }
    }

    private var buckets: [String: Bucket] = [:]
    private var overall = Bucket(failures: 0, since: .zero)

    /// - Parameters:
    ///   - burst: failures that an address has in hand.
    ///   - refill: of them, how many come back each second.
    init(burst: Double = 5, refill: Double = 0.1, overallBurst: Double = 50, overallRefill: Double = 1) {
        self.burst = burst
        self.refill = refill
        self.overallBurst = overallBurst
        self.overallRefill = overallRefill
    }

    func allows(_ address: String, now: Instant) -> Bool {
        if overall.level(now, refill: overallRefill) > overallBurst - 1 { return false }
        guard let bucket = buckets[address] else { return true }
        return bucket.level(now, refill: refill) <= burst - 1
    }

    mutating func failed(_ address: String, now: Instant) {
        overall = Bucket(failures: overall.level(now, refill: overallRefill) + 1, since: now)
        let level = buckets[address]?.level(now, refill: refill) ?? 0
        if buckets[address] == nil, buckets.count == Self.addressLimit, let mildest = mildest(now) {
            buckets[mildest] = nil
        }
        buckets[address] = Bucket(failures: level + 1, since: now)
    }

    private func mildest(_ now: Instant) -> String? {
        buckets.min { $0.value.level(now, refill: refill) < $1.value.level(now, refill: refill) }?.key
    }
}
