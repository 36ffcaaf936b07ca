extension Double {
    /// The largest integer whose digits are written; a larger number is written as Swift describes it.
    private static let mostDigits = 1e18

    /// Returns the number with a point and without an exponent, as C's `%.1f` writes it in every language.
    ///
    /// - Parameters:
    ///   - decimals: the number of digits after the point, 0 to 9. Ties are rounded to the even digit.
    ///   - width: the least number of characters: spaces are put before shorter text.
    package func text(decimals: Int, width: Int = 0) -> String {
        let text = digits(decimals)
        return String(repeating: " ", count: max(0, width - text.utf8.count)) + text
    }

    private func digits(_ decimals: Int) -> String {
        let decimals = min(9, max(0, decimals))
        let scale = (0..<decimals).reduce(1) { value, _ in value * 10 }
        let scaled = (magnitude * Double(scale)).rounded(.toNearestOrEven)
        guard scaled < Self.mostDigits else { return "\(self)" }
        let (whole, rest) = Int(scaled).quotientAndRemainder(dividingBy: scale)
        let sign = sign == .minus ? "-" : ""
        guard decimals > 0 else { return "\(sign)\(whole)" }
        // The one before the digits keeps their leading zeros.
        return "\(sign)\(whole).\("\(scale + rest)".dropFirst())"
    }
}
