private import Glibc

extension QualityControl {
    /// The number of quantiser steps that make `bits` fit into `allowed`, rounded up; negative where there is room.
    /// Bits halve every six steps.
    static func steps(_ bits: Double, into allowed: Double) -> Int {
        Int((6 * log2(max(1, bits) / max(1, allowed))).rounded(.up))
    }

    /// The factor that converts bits at `qp` to those at `base`.
    static func scale(from qp: Int, to base: Int) -> Double { exp2(Double(qp - base) / 6) }
}
