/// Functions that split and check text with ASCII delimiters. They work on bytes, so that a delimiter is found even if
/// a combining mark follows it.
enum Text {
    /// The parts between separators outside double quotes, without surrounding spaces.
    static func parts(_ text: some StringProtocol, by separator: UInt8) -> [Substring] {
        var isQuoted = false
        return Substring(text).utf8.split(omittingEmptySubsequences: false) { byte in
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            return byte == separator && !isQuoted
        }.map { trimmed(Substring($0)) }
    }

    /// Splits text at the first `separator`; the second part is `nil` if there is none.
    static func cut(_ text: Substring, at separator: UInt8) -> (Substring, Substring?) {
        let parts = text.utf8.split(separator: separator, maxSplits: 1, omittingEmptySubsequences: false)
        return (Substring(parts[0]), parts.count > 1 ? Substring(parts[1]) : nil)
    }

    static func trimmed(_ text: Substring) -> Substring {
        var bytes = text.utf8
        while let byte = bytes.first, byte == 0x20 || byte == 0x09 { bytes.removeFirst() }
        while let byte = bytes.last, byte == 0x20 || byte == 0x09 { bytes.removeLast() }
        return Substring(bytes)
    }

    /// Reads a decimal number: only digits, without sign and space; `nil` if it exceeds `Int`.
    static func decimal(_ text: some StringProtocol) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text)
    }

    /// Returns true for a `token` of RFC 2326 section 15.1: visible ASCII without separators.
    static func isToken(_ text: some StringProtocol) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !separators.contains($0) }
    }

    static func equalIgnoringCase(_ a: some StringProtocol, _ b: some StringProtocol) -> Bool {
        a.utf8.elementsEqual(b.utf8) { lowercase($0) == lowercase($1) }
    }

    private static let separators = [UInt8]("()<>@,;:\\\"/[]?={}".utf8)
    private static func lowercase(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
}
