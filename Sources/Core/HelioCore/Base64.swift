/// Base64 with padding (RFC 4648 section 4), only in its canonical form: whitespace, missing padding and nonzero unused
/// bits at the end are refused.
package enum Base64 {
    private static let digits = Base64Digits(last: "+/")

    package static func encode(_ bytes: [UInt8]) -> String {
        var text = digits.encode(bytes)
        while !text.count.isMultiple(of: 4) { text.append(UInt8(ascii: "=")) }
        return String(decoding: text, as: UTF8.self)
    }

    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        let text = [UInt8](text.utf8)
        guard text.count.isMultiple(of: 4) else { return nil }
        let padding = text.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
        return digits.decode(text.dropLast(padding))
    }
}

/// Base64url without padding (RFC 4648 sections 3.2 and 5), only in its canonical form: padding, whitespace, the digits
/// `+` and `/` of plain base64 and nonzero unused bits at the end are refused.
package enum Base64URL {
    private static let digits = Base64Digits(last: "-_")

    package static func encode(_ bytes: [UInt8]) -> String { String(decoding: digits.encode(bytes), as: UTF8.self) }

    package static func decode(_ text: String) -> [UInt8]? { digits.decode([UInt8](text.utf8)[...]) }
}

/// A base64 alphabet with its encoder and decoder (RFC 4648): six bits per digit, no padding. Alphabets differ in their
/// last two digits.
struct Base64Digits: Sendable {
    private static let shared = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

    private let alphabet: [UInt8]

    /// - Parameter last: the digits of the values 62 and 63.
    init(last: StaticString) {
        alphabet = Array(Self.shared.utf8) + last.withUTF8Buffer { Array($0) }
    }

    func encode(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let count = min(3, bytes.count - start)
            var group: UInt32 = 0
            for i in 0..<3 { group = group << 8 | (i < count ? UInt32(bytes[start + i]) : 0) }
            for i in 0...count { text.append(alphabet[Int(group >> UInt32(18 - 6 * i) & 63)]) }
        }
        return text
    }

    /// Decodes digits; `nil` for a character outside the alphabet, for an impossible number of digits, and for nonzero
    /// unused bits at the end.
    func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        guard text.count & 3 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3 + 2)
        var bits: UInt32 = 0
        for (index, character) in text.enumerated() {
            guard let value = value(of: character) else { return nil }
            bits = bits << 6 | value
            switch index & 3 {
            case 1: bytes.append(UInt8(truncatingIfNeeded: bits >> 4))
            case 2: bytes.append(UInt8(truncatingIfNeeded: bits >> 2))
            case 3: bytes.append(UInt8(truncatingIfNeeded: bits))
            default: break
            }
        }
        let unused: UInt32 = text.count & 3 == 2 ? 0xF : text.count & 3 == 3 ? 0x3 : 0
        return bits & unused == 0 ? bytes : nil
    }

    private func value(of character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character) - 65
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character) - 71
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character) + 4
        case alphabet[62]: 62
        case alphabet[63]: 63
        default: nil
        }
    }
}
