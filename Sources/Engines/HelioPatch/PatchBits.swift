/// Reads the bits of a slice, most significant bit first. Reads are not checked against the end, as zeros follow it.
///
/// Values are invalid once `isBeyondEnd` is true: a read then went past the end.
struct PatchBits {
    /// The number of zero bytes required after the payload.
    static let padding = 16

    private let bytes: UnsafePointer<UInt8>
    /// The bit position of the payload's end (`rbsp_stop_one_bit`).
    let end: Int
    private(set) var position = 0

    /// - Parameters:
    ///   - bytes: the payload without emulation prevention, followed by `padding` zeros.
    ///   - count: the payload's size in bytes. The result is `nil` if the payload has no stop bit.
    init?(_ bytes: UnsafePointer<UInt8>, count: Int) {
        var last = count - 1
        while last >= 0, bytes[last] == 0 { last -= 1 }
        guard last >= 0 else { return nil }
        self.bytes = bytes
        end = last * 8 + 7 - bytes[last].trailingZeroBitCount
    }

    /// True if more fields follow (`more_rbsp_data`).
    var hasMore: Bool { position < end }
    var isBeyondEnd: Bool { position > end }

    /// The next 32 bits; zeros after the end.
    @inline(__always)
    var peek: UInt32 {
        let at = min(position, end) >> 3
        let word = UInt64(bigEndian: UnsafeRawPointer(bytes + at).loadUnaligned(as: UInt64.self))
        return UInt32(truncatingIfNeeded: (word << UInt64(position & 7)) >> 32)
    }

    @inline(__always)
    mutating func skip(_ count: Int) { position &+= count }

    /// Reads `u(count)`, with a count of 1 to 32 bits.
    @inline(__always)
    mutating func bits(_ count: Int) -> Int {
        let value = peek >> UInt32(32 &- count)
        position &+= count
        return Int(value)
    }

    /// Reads `ue(v)` of at most 49 bits. At a longer code, moves past the end and returns 0.
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
