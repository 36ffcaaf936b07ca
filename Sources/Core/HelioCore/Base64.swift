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
