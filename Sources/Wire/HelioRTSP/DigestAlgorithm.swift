/// The hash of digest authentication (RFC 7616 section 6.1). The session variants are none of them: nobody asks
/// for them in RTSP.
package enum DigestAlgorithm: String, Sendable, CaseIterable, Hashable {
    case sha256 = "SHA-256"
    /// For players that know no better; also where a header names no algorithm.
    case md5 = "MD5"

    /// `nil` for one that is not known here.
    init?(name: String?) {
        guard let name else {
            self = .md5
            return
        }
        guard let known = Self.allCases.first(where: { Text.equalIgnoringCase($0.rawValue, name) }) else { return nil }
        self = known
    }
}
