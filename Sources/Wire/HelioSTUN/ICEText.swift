/// The grammar of ICE's text in signalling (RFC 8839 section 5), checked on bytes.
package enum ICEText {
    /// The `ice-char` characters: letters, digits, `+` and `/`.
    package static let characters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// Returns true for the text of `a=ice-ufrag`: 4 ... 256 ICE characters.
    package static func isUsernameFragment(_ text: some StringProtocol) -> Bool { isText(text, 4...256) }

    /// Returns true for the text of `a=ice-pwd`: 22 ... 256 ICE characters.
    package static func isPassword(_ text: some StringProtocol) -> Bool { isText(text, 22...256) }

    /// The options in `a=ice-options`, such as `trickle` (RFC 8838) and `ice2` (RFC 8445).
    package static func options(_ attributeValue: String?) -> [String] {
        guard let attributeValue, attributeValue.utf8.count <= 256 else { return [] }
        return attributeValue.utf8.split(separator: 0x20).map { String(Substring($0)) }
    }

    static func isFoundation(_ text: some StringProtocol) -> Bool { isText(text, 1...32) }

    private static func isText(_ text: some StringProtocol, _ length: ClosedRange<Int>) -> Bool {
        length.contains(text.utf8.count)
            && text.utf8.allSatisfy {
                switch $0 {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "+"), UInt8(ascii: "/"): true
                default: false
                }
            }
    }

    /// Reads a decimal number of up to ten digits, without a sign.
    static func decimal(_ text: Substring) -> UInt64? {
        guard (1...10).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return UInt64(text)
    }

    static func port(_ text: Substring) -> UInt16? { decimal(text).flatMap { UInt16(exactly: $0) } }

    /// Returns true for printable text without a space.
    static func isWord(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
    }

    static func lowercase(_ text: Substring) -> String {
        String(decoding: text.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}
