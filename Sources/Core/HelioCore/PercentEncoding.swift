/// Percent encoding in URLs: `%` and two hexadecimal digits for each byte that is not allowed (RFC 3986 section 2.1).
package enum PercentEncoding {
    /// Decodes %XX; `nil` if a `%` is not followed by two digits.
    package static func bytes(_ text: Substring.UTF8View) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2)
            guard let decoded = Hexadecimal.bytes(Substring(digits)), decoded.count == 1 else { return nil }
            bytes += decoded
            rest = rest[digits.endIndex...]
        }
        return bytes
    }
}
