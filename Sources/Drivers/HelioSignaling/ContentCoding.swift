/// The content codings that a request accepts (RFC 9110 section 12.5.3).
enum ContentCoding {
    /// True if gzip is listed with a weight above 0. `*` does not count as gzip, as the plain form is always
    /// acceptable.
    ///
    /// - Parameter accepted: the members of `Accept-Encoding`, as `gzip;q=0.5`; the first member for gzip decides.
    static func acceptsGzip(_ accepted: [Substring]) -> Bool {
        for member in accepted {
            let parts = member.split(separator: ";", omittingEmptySubsequences: false).map { trimmed($0) }
            guard let name = parts.first, ["gzip", "x-gzip"].contains(name.lowercased()) else { continue }
            return parts.dropFirst().allSatisfy { isWeightAboveZero($0) }
        }
        return false
    }

    /// True for `q=` and a number from 0.001 to 1 (RFC 9110 section 12.4.2).
    private static func isWeightAboveZero(_ parameter: Substring) -> Bool {
        guard parameter.lowercased().hasPrefix("q=") else { return false }
        let digits = Array(parameter.utf8.dropFirst(2))
        guard (1...5).contains(digits.count), digits.count == 1 || digits[1] == UInt8(ascii: ".") else { return false }
        let fraction = digits.dropFirst(2)
        guard fraction.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return false }
        let hasFraction = fraction.contains { $0 != UInt8(ascii: "0") }
        return switch digits[0] {
        case UInt8(ascii: "1"): !hasFraction
        case UInt8(ascii: "0"): hasFraction
        default: false
        }
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let isBlank = { (character: Character) in character == " " || character == "\t" }
        var rest = text.drop(while: isBlank)
        while let last = rest.last, isBlank(last) { rest.removeLast() }
        return rest
    }
}
