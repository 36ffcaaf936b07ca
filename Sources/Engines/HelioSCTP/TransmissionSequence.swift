/// A transmission sequence number (TSN), widened from 32 to 64 bits, so that it never wraps around.
struct TransmissionSequence: Comparable, Hashable, Sendable {
    var value: Int64

    /// Makes the first TSN of an association. 2^32 is added, so that earlier TSNs are not negative.
    init(initial: UInt32) { value = Int64(initial) + 1 << 32 }

    private init(value: Int64) { self.value = value }

    /// Makes the number nearest to `reference` whose low 32 bits are `wire`.
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
