/// Reads the bits of a slice: most significant first, without a check on each, as zeros follow the end.
///
/// A reader that went too far says so by `isBeyondEnd`: nothing read from there on counts.
struct PatchBits {
    /// The zeros that have to lie behind the payload, in bytes.
    static let padding = 16

    private let bytes: UnsafePointer<UInt8>
    /// The position of the bit that ends the payload (`rbsp_stop_one_bit`).
    let end: Int
    private(set) var position = 0

    /// - Parameters:
    ///   - bytes: the payload without emulation prevention, with `padding` behind.
    ///   - count: the payload's bytes.
    /// Gives `nil` where no bit ends the payload.
    init?(_ bytes: UnsafePointer<UInt8>, count: Int) {
        var last = count - 1
        while last >= 0, bytes[last] == 0 { last -= 1 }
        guard last >= 0 else { return nil }
        self.bytes = bytes
        end = last * 8 + 7 - bytes[last].trailingZeroBitCount
    }

    /// True where more fields follow (`more_rbsp_data`).
    var hasMore: Bool { position < end }
    var isBeyondEnd: Bool { position > end }

    /// The next 32 bits; zeros behind the end.
    @inline(__always)
    var peek: UInt32 {
        let at = min(position, end) >> 3
        let word = UInt64(bigEndian: UnsafeRawPointer(bytes + at).loadUnaligned(as: UInt64.self))
        return UInt32(truncatingIfNeeded: (word << UInt64(position & 7)) >> 32)
    }

    @inline(__always)
    mutating func skip(_ count: Int) { position &+= count }

    /// Reads `u(count)`, at most 32 bits, at least one.
    @inline(__always)
    mutating func bits(_ count: Int) -> Int {
        let value = peek >> UInt32(32 &- count)
        position &+= count
        return Int(value)
    }

    /// Reads `ue(v)` of at most 49 bits; a longer one ends the payload.
    @inline(__always)
    mutating func unsigned() -> Int {
        let next = peek
        let zeros = next.leadingZeroBitCount
        guard zeros < 16 else {
            guard zeros <= 24 else {
                position = end &+ 1
                return 0
            }
            position &+= zeros
            return bits(zeros &+ 1) &- 1
        }
        let length = zeros &* 2 &+ 1
        position &+= length
        return Int(next >> UInt32(32 &- length)) &- 1
    }

    /// Reads `se(v)`.
    @inline(__always)
    mutating func signed() -> Int {
        let code = unsigned()
        return code & 1 == 1 ? (code &+ 1) >> 1 : -(code >> 1)
    }
}
