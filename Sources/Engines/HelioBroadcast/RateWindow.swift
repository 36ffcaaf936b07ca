import HelioCore

/// Measures the bitrate over the last second, in slots of 100 ms.
struct RateWindow: Sendable {
    private static let slot = Duration.milliseconds(100)
    private static let count = 10

    private var slots: [Int64] = Array(repeating: 0, count: Self.count)
    /// The number of the newest slot, in tenths of a second since instant zero.
    private var newest: Int64?

    mutating func add(_ bytes: Int, now: Instant) {
        let number = move(now)
        slots[Int(number % Int64(Self.count))] += Int64(bytes)
    }

    /// The bitrate over the last second.
    mutating func rate(now: Instant) -> Bitrate {
        _ = move(now)
        return Bitrate(bitsPerSecond: Int(clamping: slots.reduce(0, +) * 8))
    }

    /// Clears the expired slots. Returns the number of the present slot.
    private mutating func move(_ now: Instant) -> Int64 {
        let number = max(newest ?? 0, now.nanoseconds / Self.slot.nanoseconds)
        let passed = newest.map { number - $0 } ?? 0
        for step in 0..<min(passed, Int64(Self.count)) { slots[Int((number - step) % Int64(Self.count))] = 0 }
        newest = number
        return number
    }
}
