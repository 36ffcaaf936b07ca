package import HelioCore

/// A rate limit for tries by token buckets: one for each IPv4 address and each IPv6 /64, and optionally one for all
/// together.
///
/// The caller should count only wrong guesses of long secrets, but every guess of short secrets.
package struct GuessLimiter: Sendable {
    private static let originLimit = 256

    private let burst: Double
    private let overallBurst: Double?
    /// The number of tries that each `IPAddress.origin` regains per second.
    private let refill: Double
    private let overallRefill: Double

    private struct Bucket {
        var tries = 0.0
        var since = Instant.zero

        func level(_ now: Instant, refill: Double) -> Double {
            max(0, tries - (now - since).inSeconds * refill)
        }
    }

    private var buckets: [String: Bucket] = [:]
    private var overall = Bucket()

    /// - Parameters:
    ///   - burst: the maximum number of tries in a burst from one `IPAddress.origin`.
    ///   - refill: the number of tries that each `IPAddress.origin` regains per second.
    ///   - overallBurst: the maximum number of tries in a burst of all origins together; `nil` for no common limit.
    package init(burst: Double = 5, refill: Double = 0.1, overallBurst: Double? = nil, overallRefill: Double = 0) {
        self.burst = burst
        self.refill = refill
        self.overallBurst = overallBurst
        self.overallRefill = overallRefill
    }

    /// Returns true if the address has a try left.
    private func allows(_ address: String, now: Instant) -> Bool {
        if let overallBurst, overall.level(now, refill: overallRefill) > overallBurst - 1 { return false }
        return returns(address, now: now) == nil
    }

    /// The time at which the address's origin regains a try, ignoring the overall limit; `nil` if it has a try left.
    package func returns(_ address: String, now: Instant) -> Instant? {
        guard let bucket = buckets[Self.origin(of: address)] else { return nil }
        let missing = bucket.level(now, refill: refill) - (burst - 1)
        // Add a microsecond, as the sum is rounded.
        return missing > 0 ? now + .seconds(missing / refill) + .microseconds(1) : nil
    }

    /// Spends a try, which counts for the address's origin and towards the limit for all origins. Returns false if
    /// either limit is reached; no try is then spent.
    package mutating func take(_ address: String, now: Instant) -> Bool {
        guard allows(address, now: now) else { return false }
        overall = Bucket(tries: overall.level(now, refill: overallRefill) + 1, since: now)
        let origin = Self.origin(of: address)
        let level = buckets[origin]?.level(now, refill: refill) ?? 0
        if buckets[origin] == nil, buckets.count == Self.originLimit, let mildest = mildest(now) {
            buckets[mildest] = nil
        }
        buckets[origin] = Bucket(tries: level + 1, since: now)
        return true
    }

    /// The key of an address's bucket: its origin (`IPAddress.origin`), or the text itself if it is not an IP address.
    private static func origin(of address: String) -> String { IPAddress(address)?.origin.description ?? address }

    private func mildest(_ now: Instant) -> String? {
        buckets.min {
            let (a, b) = ($0.value.level(now, refill: refill), $1.value.level(now, refill: refill))
            return a != b ? a < b : $0.key < $1.key
        }?.key
    }
}
