/// Functions that split and check text with ASCII delimiters. They work on bytes, so that a delimiter is found even if
/// a combining mark follows it.
enum Text {
    /// All fields between separators, including empty ones.
    static func fields(_ text: some StringProtocol, by separator: UInt8) -> [Substring] {
        Substring(text).utf8.split(separator: separator, omittingEmptySubsequences: false).map { Substring($0) }
    }

    /// Splits text at the first `separator`; the second part is `nil` if there is none.
    static func cut(_ text: some StringProtocol, at separator: UInt8) -> (Substring, Substring?) {
        let parts = Substring(text).utf8.split(
            separator: separator, maxSplits: 1, omittingEmptySubsequences: false)
        return (Substring(parts[0]), parts.count > 1 ? Substring(parts[1]) : nil)
    }

    static func trimmed(_ text: Substring) -> Substring {
        var bytes = text.utf8
        while bytes.first == 0x20 { bytes.removeFirst() }
        while bytes.last == 0x20 { bytes.removeLast() }
        return Substring(bytes)
    }

    /// Reads a decimal number: only digits, without sign and space; `nil` if it exceeds 64 bits.
    static func decimal(_ text: some StringProtocol) -> UInt64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return UInt64(text)
    }

    /// Reads up to eight hexadecimal digits, of either case.
    static func hexadecimal(_ text: some StringProtocol) -> UInt32? {
        guard (1...8).contains(text.utf8.count), text.utf8.allSatisfy(isHexadecimalDigit) else { return nil }
        return UInt32(text, radix: 16)
    }

    /// Returns true if all characters are RFC 8839's `ice-char`s.
    static func isICE(_ text: some StringProtocol) -> Bool {
        text.utf8.allSatisfy {
            switch $0 {
            case 0x2B, 0x2F, 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            default: false
            }
        }
    }

    private static func isHexadecimalDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
        default: false
        }
    }

    /// Returns true for RFC 8866's `token`.
    static func isToken(_ text: some StringProtocol) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(isTokenByte)
    }

    /// Returns true for printable text without a space, such as a field between spaces.
    static func isWord(_ text: some StringProtocol) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
    }

    static func equalIgnoringCase(_ a: some StringProtocol, _ b: some StringProtocol) -> Bool {
        a.utf8.elementsEqual(b.utf8) { lowercase($0) == lowercase($1) }
    }

    private static func lowercase(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x21, 0x23...0x27, 0x2A...0x2B, 0x2D...0x2E, 0x30...0x39, 0x41...0x5A, 0x5E...0x7E: true
        default: false
        }
    }
}
