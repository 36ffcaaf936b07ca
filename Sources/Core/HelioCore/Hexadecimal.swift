/// Bytes as pairs of hexadecimal digits.
package enum Hexadecimal {
    /// Converts bytes to text: two lower-case digits per byte.
    package static func text(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// Parses bytes from text. Returns `nil` if the text is not pairs of digits, in upper or lower case, or has more
    /// than `limit` pairs.
    package static func bytes(_ text: some StringProtocol, limit: Int = .max) -> [UInt8]? {
        let count = text.utf8.count
        guard count.isMultiple(of: 2), count / 2 <= limit else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count / 2)
        var high: UInt8?
        for character in text.utf8 {
            guard let digit = Character(UnicodeScalar(character)).hexDigitValue.map(UInt8.init) else { return nil }
            if let first = high {
                bytes.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        return bytes
    }
}
