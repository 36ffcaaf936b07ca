private import Glibc

extension QualityControl {
    /// How many quantiser steps make `bits` fit into `allowed`, rounded up; negative where there is room. Bits
    /// halve every six steps.
    static func steps(_ bits: Double, into allowed: Double) -> Int {
        Int((6 * log2(max(1, bits) / max(1, allowed))).rounded(.up))
    }

    /// What bits at `qp` would have been at `base`.
    static func scale(from qp: Int, to base: Int) -> Double { exp2(Double(qp - base) / 6) }
}
