/// The fingerprint of a certificate in a session description (RFC 8122 section 5).
package struct DTLSFingerprint: Sendable, Hashable, CustomStringConvertible {
    /// A hash algorithm that is strong enough for fingerprints, which excludes MD5 and SHA-1. The raw value is its name
    /// in SDP.
    package enum Hash: String, Sendable, CaseIterable {
        case sha256 = "sha-256"
        case sha384 = "sha-384"
        case sha512 = "sha-512"

        /// The length of the hash, in bytes.
        package var length: Int {
            switch self {
            case .sha256: 32
            case .sha384: 48
            case .sha512: 64
            }
        }
    }

    package let hash: Hash
    package let bytes: [UInt8]

    /// Makes a fingerprint from the bytes of a hash; `nil` if their number is not the hash's length.
    package init?(_ hash: Hash, _ bytes: [UInt8]) {
        guard bytes.count == hash.length else { return nil }
        self.hash = hash
        self.bytes = bytes
    }

    /// The value of `a=fingerprint`.
    package var description: String { "\(hash.rawValue) \(hex)" }

    /// The hash as text, with two upper-case hexadecimal digits per byte, separated by colons.
    package var hex: String {
        let digits = Array("0123456789ABCDEF")
        return bytes.map { "\(digits[Int($0 >> 4)])\(digits[Int($0 & 15)])" }.joined(separator: ":")
    }

    /// Returns the fingerprints to check. If the peer uses several hash algorithms, only the strongest counts (RFC 8122
    /// section 5.1).
    package static func deciding(among expected: [DTLSFingerprint]) -> [DTLSFingerprint] {
        let strongest = expected.map(\.hash.length).max()
        return expected.filter { $0.hash.length == strongest }
    }
}
