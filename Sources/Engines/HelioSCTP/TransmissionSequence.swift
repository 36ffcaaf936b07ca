/// A transmission sequence number (TSN), widened to 64 bits on parsing, so that it never wraps.
struct TransmissionSequence: Comparable, Hashable, Sendable {
    var value: Int64

    /// The first TSN of an association, with 2^32 added, so that no TSN before it is negative.
    init(initial: UInt32) { value = Int64(initial) + 1 << 32 }

    private init(value: Int64) { self.value = value }

    /// The number that `wire` stands for: the one nearest to `reference`.
    init(_ wire: UInt32, near reference: Self) {
        value = reference.value + Int64(Int32(bitPattern: wire &- reference.wire))
    }

    var wire: UInt32 { UInt32(truncatingIfNeeded: value) }

    static func < (a: Self, b: Self) -> Bool { a.value < b.value }
    static func + (a: Self, n: Int) -> Self { Self(value: a.value + Int64(n)) }
    static func - (a: Self, n: Int) -> Self { Self(value: a.value - Int64(n)) }
    static func - (a: Self, b: Self) -> Int { Int(a.value - b.value) }
    static func += (a: inout Self, n: Int) { a.value += Int64(n) }
}
