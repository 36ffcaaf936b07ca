/// Base64url without padding (RFC 4648 sections 3.2 and 5), only in its canonical form: padding, whitespace, the digits
/// `+` and `/` of plain base64 and nonzero unused bits at the end are refused.
package enum Base64URL {
    private static let digits = Base64Digits(last: "-_")

    package static func encode(_ bytes: [UInt8]) -> String { String(decoding: digits.encode(bytes), as: UTF8.self) }

    package static func decode(_ text: String) -> [UInt8]? { digits.decode([UInt8](text.utf8)[...]) }
}
