/// A decimal number with so few digits that one division converts it to a `Double`: if numerator and power of ten are
/// exact, the quotient is rounded correctly (Clinger, "How to Read Floating Point Numbers Accurately", 1990). Longer
/// numbers are left to the standard library's parser, which is slower, as it copies the text and reads the locale.
struct ShortDecimal {
    /// The maximum number of digits: 10^15 and every smaller whole number are exact as a `Double`.
    private static let mostDigits = 15
    private static let powersOfTen: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
    ]

    var isNegative = false
    private var digits = 0
    private var fractionDigits = 0
    private var number: UInt64 = 0

    /// - Parameter bytes: ASCII digits.
    mutating func append(_ bytes: ArraySlice<UInt8>) {
        digits += bytes.count
        guard digits <= Self.mostDigits else { return }
        for byte in bytes { number = number * 10 + UInt64(byte - UInt8(ascii: "0")) }
    }

    mutating func appendFraction(_ bytes: ArraySlice<UInt8>) {
        fractionDigits += bytes.count
        append(bytes)
    }

    /// The number; `nil` if there are too many digits.
    var value: Double? {
        guard digits <= Self.mostDigits else { return nil }
        let magnitude = Double(number) / Self.powersOfTen[fractionDigits]
        return isNegative ? -magnitude : magnitude
    }
}
