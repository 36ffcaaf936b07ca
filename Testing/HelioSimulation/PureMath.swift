import HelioCore

/// Powers, logarithms and roots without the C library, so that results are identical on every system.
///
/// The results are accurate to about twelve digits, for finite numbers of moderate size.
enum PureMath {
    private static let ln2 = 0.693147180559945309

    /// Returns 2 to the power of `x`.
    static func exp2(_ x: Double) -> Double {
        let whole = x.rounded(.down)
        let rest = (x - whole) * ln2
        // The series of the exponential function, for an exponent below ln 2.
        var term = 1.0
        var sum = 1.0
        for n in 1...14 {
            term *= rest / Double(n)
            sum += term
        }
        return Double(sign: .plus, exponent: Int(whole), significand: sum)
    }

    /// Returns the logarithm of `x` to the base 2; `x` must be above 0.
    static func log2(_ x: Double) -> Double {
        let m = x.significand
        // ln m = 2 artanh ((m - 1) / (m + 1)), whose argument is at most a third.
        let y = (m - 1) / (m + 1)
        var power = y
        var sum = 0.0
        for n in stride(from: 1, through: 25, by: 2) {
            sum += power / Double(n)
            power *= y * y
        }
        return Double(x.exponent) + 2 * sum / ln2
    }

    /// Returns the cube root of `x`; 0 if `x` is negative.
    static func cubeRoot(_ x: Double) -> Double {
        guard x > 0 else { return 0 }
        let near = exp2(log2(x) / 3)
        // One Newton step corrects the last digits.
        return (2 * near + x / (near * near)) / 3
    }

    /// Draws from a standard normal distribution, approximated by the sum of twelve uniform draws.
    static func normal(using random: inout SeededGenerator) -> Double {
        var sum = -6.0
        for _ in 0..<12 { sum += random.unit() }
        return sum
    }

    /// Draws from a lognormal distribution with median 1, whose natural logarithm has this standard deviation.
    static func lognormal(_ deviation: Double, using random: inout SeededGenerator) -> Double {
        exp2(normal(using: &random) * deviation / ln2)
    }
}
