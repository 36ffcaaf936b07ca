/// Writes the fields of a parameter set or message, bit by bit, most significant first.
package struct BitWriter: Sendable {
    private var bytes: [UInt8] = []
    /// The number of bits in the last byte that are not written yet.
    private var free = 0

    package init() {}

    /// Writes `u(count)`: the low `count` bits of `value`; at most 32.
    package mutating func bits(_ value: UInt32, _ count: Int) {
        var left = count
        while left > 0 {
            if free == 0 {
                bytes.append(0)
                free = 8
            }
            let taken = min(free, left)
            let part = UInt8(truncatingIfNeeded: value >> UInt32(left - taken) & ((1 << UInt32(taken)) - 1))
            bytes[bytes.count - 1] |= part << UInt8(free - taken)
            free -= taken
            left -= taken
        }
    }

    /// Writes `u(1)`.
    package mutating func flag(_ value: Bool) {
        bits(value ? 1 : 0, 1)
    }

    /// Writes `ue(v)`: an unsigned Exp-Golomb code. `value` must be below `UInt32.max`.
    package mutating func unsigned(_ value: UInt32) {
        let code = value + 1
        let zeros = 31 - code.leadingZeroBitCount
        bits(0, zeros)
        bits(code, zeros + 1)
    }

    /// Writes `se(v)`: a signed Exp-Golomb code. `value` must be above `Int32.min`.
    package mutating func signed(_ value: Int32) {
        unsigned(value > 0 ? value.magnitude * 2 - 1 : value.magnitude * 2)
    }

    /// The written bytes; the last byte is padded with zero bits.
    package consuming func finish() -> [UInt8] { bytes }

    /// Appends a NAL unit to `annexB`: a start code, `header`, then the written bits with `rbsp_trailing_bits` and
    /// emulation prevention.
    package consuming func finish(header: [UInt8], into annexB: inout [UInt8]) {
        bits(1, 1)
        annexB.append(contentsOf: AnnexB.startCode)
        annexB.append(contentsOf: header)
        EmulationPrevention.add(to: bytes, into: &annexB)
    }
}
