/// The hash of a certificate, as a session description carries it (RFC 8122 section 5).
package struct DTLSFingerprint: Sendable, Hashable, CustomStringConvertible {
    /// A hash that is strong enough to identify a certificate; the raw value is its name in SDP. MD5 and SHA-1 are not.
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

    /// Makes a fingerprint of the bytes of a hash; `nil` if their number is not the hash's length.
    package init?(_ hash: Hash, _ bytes: [UInt8]) {
        guard bytes.count == hash.length else { return nil }
        self.hash = hash
        self.bytes = bytes
    }

    /// The value of `a=fingerprint`.
    package var description: String { "\(hash.rawValue) \(hex)" }

    /// The hash as text: two upper-case digits a byte, with colons between them.
    package var hex: String {
        let digits = Array("0123456789ABCDEF")
        return bytes.map { "\(digits[Int($0 >> 4)])\(digits[Int($0 & 15)])" }.joined(separator: ":")
    }

    /// The fingerprints that count: if the peer names several hashes, only the strongest is checked (RFC 8122 section
    /// 5.1).
    package static func deciding(among expected: [DTLSFingerprint]) -> [DTLSFingerprint] {
        let strongest = expected.map(\.hash.length).max()
        return expected.filter { $0.hash.length == strongest }
    }
}
