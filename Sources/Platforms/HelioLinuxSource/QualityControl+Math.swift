private import Glibc

extension QualityControl {
    /// Returns the number of quantiser steps, rounded up, that reduce `bits` to `allowed`; negative if `bits` are
    /// fewer. Six steps halve the bits.
    static func steps(_ bits: Double, into allowed: Double) -> Int {
        Int((6 * log2(max(1, bits) / max(1, allowed))).rounded(.up))
    }

    /// Returns the factor that converts bits at `qp` to bits at `base`.
    static func scale(from qp: Int, to base: Int) -> Double { exp2(Double(qp - base) / 6) }
}
