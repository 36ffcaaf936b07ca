/// The SHA-256 fingerprint of the only certificate that a server may present, written as the fragment after `#` in a
/// URL.
package enum PinnedCertificate {
    /// Parses `sha256=` and 64 hexadecimal digits, with or without colons between them; `nil` for anything else.
    package static func parse(_ fragment: Substring.UTF8View) -> [UInt8]? {
        let label = "sha256="
        guard fragment.starts(with: label.utf8) else { return nil }
        let digits = fragment.dropFirst(label.utf8.count).filter { $0 != UInt8(ascii: ":") }
        guard digits.count == 64 else { return nil }
        return Hexadecimal.bytes(String(decoding: digits, as: UTF8.self))
    }
}
