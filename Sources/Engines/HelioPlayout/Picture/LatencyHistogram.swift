internal import HelioCore

/// Percentiles of durations in bounded memory: 16 buckets for each doubling, from 1 µs to 17 minutes.
///
/// A percentile is the middle of its bucket, so it is accurate to 4 % from 16 µs on; `most` is exact. A negative
/// duration, which the offset between two clocks can yield, counts as zero.
package struct LatencyHistogram: Sendable {
    package private(set) var count = 0
    package private(set) var most: Duration = .zero
    private var buckets = [UInt32](repeating: 0, count: 16 * 27)

    package init() {}

    package mutating func record(_ duration: Duration) {
        let microseconds = UInt64(max(0, duration.nanoseconds) / 1000)
        buckets[min(Self.bucket(microseconds), buckets.count - 1)] &+= 1
        count += 1
        most = max(most, duration)
    }

    /// The duration that the share `share` (0...1) of all recorded durations does not exceed; `nil` if none was
    /// recorded.
    package func percentile(_ share: Double) -> Duration? {
        guard count > 0 else { return nil }
        let rank = max(1, Int((Double(count) * min(max(share, 0), 1)).rounded(.up)))
        var seen = 0
        for (index, bucket) in buckets.enumerated() {
            seen += Int(bucket)
            if seen >= rank { return min(.nanoseconds(Self.middle(index)), most) }
        }
        return most
    }

    package mutating func reset() {
        count = 0
        most = .zero
        for index in buckets.indices { buckets[index] = 0 }
    }

    /// Maps a duration to its bucket. Each value below 16 µs has its own bucket; above, the highest set bit and the
    /// four bits after it select the bucket.
    private static func bucket(_ microseconds: UInt64) -> Int {
        guard microseconds >= 16 else { return Int(microseconds) }
        let exponent = 63 - microseconds.leadingZeroBitCount
        return (exponent - 3) * 16 + Int(microseconds >> UInt64(exponent - 4)) - 16
    }

    private static func middle(_ bucket: Int) -> Int64 {
        guard bucket >= 16 else { return Int64(bucket) * 1000 + 500 }
        let width = Int64(1) << Int64(bucket / 16 - 1)
        return (Int64(bucket % 16 + 16) * width) * 1000 + width * 500
    }
}
