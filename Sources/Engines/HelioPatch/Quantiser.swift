/// Quantises 4x4 blocks of coefficients at one quantiser, and scales their levels back (section 8.5.9).
struct Quantiser {
    private let shift: Int32
    private let round: Int32
    private let scaleShift: Int32
    /// The quantisation factors for even and for odd rows.
    private let forward: (Block4x4.Row, Block4x4.Row)
    /// The scaling factors for even and for odd rows.
    private let backward: (Block4x4.Row, Block4x4.Row)

    /// - Parameter isClose: true to round levels up from two thirds of a step, as is usual for poor prediction, for
    ///   less noise in flat areas; false to round up from five sixths.
    init(_ qp: Int, isClose: Bool = false) {
        // The factors at positions with both coordinates even, both odd, or one of each.
        typealias Factors = (Int32, Int32, Int32)
        let steps: [(forward: Factors, backward: Factors)] = [
            ((13107, 5243, 8066), (10, 16, 13)), ((11916, 4660, 7490), (11, 18, 14)),
            ((10082, 4194, 6554), (13, 20, 16)),
            ((9362, 3647, 5825), (14, 23, 18)), ((8192, 3355, 5243), (16, 25, 20)), ((7282, 2893, 4559), (18, 29, 23)),
        ]
        func rows(_ f: Factors) -> (Block4x4.Row, Block4x4.Row) {
            (Block4x4.Row(f.0, f.2, f.0, f.2), Block4x4.Row(f.2, f.1, f.2, f.1))
        }
        shift = Int32(15 + qp / 6)
        round = (1 << shift) / (isClose ? 3 : 6)
        scaleShift = Int32(qp / 6)
        forward = rows(steps[qp % 6].forward)
        backward = rows(steps[qp % 6].backward)
    }

    @inline(__always)
    func quantised(_ b: Block4x4) -> Block4x4 {
        var q = Block4x4()
        q.r0 = quantised(b.r0, forward.0)
        q.r1 = quantised(b.r1, forward.1)
        q.r2 = quantised(b.r2, forward.0)
        q.r3 = quantised(b.r3, forward.1)
        return q
    }

    @inline(__always)
    func scaled(_ q: Block4x4) -> Block4x4 {
        var b = Block4x4()
        b.r0 = (q.r0 &* backward.0) &<< scaleShift
        b.r1 = (q.r1 &* backward.1) &<< scaleShift
        b.r2 = (q.r2 &* backward.0) &<< scaleShift
        b.r3 = (q.r3 &* backward.1) &<< scaleShift
        return b
    }

    /// Quantises one coefficient of the 2x2 transform of chroma DC coefficients.
    func quantisedDC(_ value: Int32) -> Int32 {
        let magnitude = Int32((Int64(abs(value)) * Int64(forward.0[0]) + Int64(round) * 2) >> Int64(shift + 1))
        return value < 0 ? -magnitude : magnitude
    }

    func scaledDC(_ value: Int32) -> Int32 {
        (value &* backward.0[0] << scaleShift) >> 1
    }

    /// Quantises the 4x4 Hadamard transform of DC coefficients.
    func quantisedPlaneDC(_ block: Block4x4) -> Block4x4 {
        var result = Block4x4()
        for y in 0..<4 {
            for x in 0..<4 {
                let value = block[x, y]
                let magnitude = Int32(
                    (Int64(abs(value)) * Int64(forward.0[0]) + Int64(round) * 4) >> Int64(shift + 2))
                result[x, y] = value < 0 ? -magnitude : magnitude
            }
        }
        return result
    }

    /// Scales a DC coefficient after its inverse 4x4 transform (section 8.5.10).
    func scaledPlaneDC(_ value: Int32) -> Int32 {
        let product = value &* backward.0[0] &* 16
        return scaleShift >= 6
            ? product << (scaleShift - 6) : (product + (1 << (5 - scaleShift))) >> (6 - scaleShift)
    }

    @inline(__always)
    private func quantised(_ row: Block4x4.Row, _ factors: Block4x4.Row) -> Block4x4.Row {
        let sign = row &>> 31
        let magnitude = (((row ^ sign) &- sign) &* factors &+ round) &>> shift
        return (magnitude ^ sign) &- sign
    }
}
