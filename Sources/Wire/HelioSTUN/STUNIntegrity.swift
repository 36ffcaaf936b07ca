/// The algorithm of a message's integrity attribute: HMAC-SHA1 in MESSAGE-INTEGRITY, or HMAC-SHA256 in
/// MESSAGE-INTEGRITY-SHA256.
package enum STUNIntegrity: Hashable, Sendable {
    case sha1
    case sha256

    package var type: STUNAttributeType {
        switch self {
        case .sha1: .messageIntegrity
        case .sha256: .messageIntegritySHA256
        }
    }

    /// The length of the untruncated HMAC, in bytes.
    package var size: Int {
        switch self {
        case .sha1: 20
        case .sha256: 32
        }
    }

    /// Returns true if an HMAC may have this length in bytes: SHA-256 may be truncated to 16 bytes in steps of 4
    /// (RFC 8489 section 14.6).
    func allows(size: Int) -> Bool {
        switch self {
        case .sha1: size == 20
        case .sha256: (16...32).contains(size) && size % 4 == 0
        }
    }
}
