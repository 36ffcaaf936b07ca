/// The hash of digest authentication (RFC 7616 section 6.1). The session variants (`-sess`) are not supported, as they
/// are not in use in RTSP.
package enum DigestAlgorithm: String, Sendable, CaseIterable, Hashable {
    case sha256 = "SHA-256"
    /// MD5, for players that support nothing better; also the default if a header names no algorithm.
    case md5 = "MD5"

    /// Reads a name; `nil` for an unsupported algorithm.
    init?(name: String?) {
        guard let name else {
            self = .md5
            return
        }
        guard let known = Self.allCases.first(where: { Text.equalIgnoringCase($0.rawValue, name) }) else { return nil }
        self = known
    }
}
