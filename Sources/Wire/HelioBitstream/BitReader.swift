import HelioCore

/// Reads the fields of a parameter set or message, bit by bit, most significant first. Each read throws if too few bits
/// are left.
package struct BitReader: Sendable {
    private let bytes: [UInt8]
    /// The position, in bits.
    package private(set) var position = 0

    /// Reads bytes that have no emulation prevention.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Reads a NAL unit's payload, without emulation prevention, after a header of `header` bytes.
    ///
    /// Reads at most the first `limit` bytes of the NAL unit, to bound the work that a hostile stream can cause.
    package init(nal: RawSpan, header: Int, limit: Int) {
        let taken = nal.extracting(first: min(nal.byteCount, limit))
        var payload: [UInt8] = []
        payload.reserveCapacity(taken.byteCount)
        EmulationPrevention.remove(from: taken, at: header, to: &payload)
        bytes = payload
    }

    package var bitsLeft: Int { bytes.count * 8 - position }

    /// The bit position of `rbsp_stop_one_bit`, which ends the payload; `nil` if all bits are 0.
    package var stopBit: Int? {
        bytes.lastIndex { $0 != 0 }.map { $0 * 8 + 7 - bytes[$0].trailingZeroBitCount }
    }

    /// True if another field follows before `rbsp_trailing_bits` (`more_rbsp_data` of both standards).
    package var hasMoreData: Bool {
        stopBit.map { position < $0 } ?? false
    }

    /// Reads `u(count)`: an unsigned number of `count` bits, at most 32.
    package mutating func bits(_ count: Int) throws(BitstreamError) -> UInt32 {
        guard count <= bitsLeft else { throw .truncated }
        var value: UInt32 = 0
        var wanted = count
        while wanted > 0 {
            let free = 8 - position % 8
            let taken = min(free, wanted)
            let part = bytes[position / 8] >> (free - taken) & UInt8(truncatingIfNeeded: (1 << taken) - 1)
            value = value << UInt32(taken) | UInt32(part)
            position += taken
            wanted -= taken
        }
        return value
    }

    /// Reads `u(8)`.
    package mutating func byte() throws(BitstreamError) -> UInt8 {
        UInt8(truncatingIfNeeded: try bits(8))
    }

    /// Reads `u(1)`.
    package mutating func flag() throws(BitstreamError) -> Bool {
        try bits(1) == 1
    }

    package mutating func skip(_ count: Int) throws(BitstreamError) {
        guard count <= bitsLeft else { throw .truncated }
        position += count
    }

    /// Reads `ue(v)`: an unsigned Exp-Golomb code (H.264 section 9.1). Throws `.invalid` if it exceeds `limit`.
    package mutating func unsigned(atMost limit: UInt32 = .max - 1) throws(BitstreamError) -> UInt32 {
        var zeros = 0
        while try !flag() {
            zeros += 1
            if zeros > 31 { throw .invalid }
        }
        let value = UInt32((UInt64(1) << UInt64(zeros)) - 1 + UInt64(try bits(zeros)))
        guard value <= limit else { throw .invalid }
        return value
    }

    /// Reads `se(v)`: a signed Exp-Golomb code (H.264 section 9.1.1).
    package mutating func signed() throws(BitstreamError) -> Int32 {
        let code = Int64(try unsigned())
        return Int32(truncatingIfNeeded: code % 2 == 1 ? (code + 1) / 2 : -(code / 2))
    }
}
