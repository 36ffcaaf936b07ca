/// `a=fingerprint:sha-256 4A:AD:...`: the hash of the certificate that this end presents in DTLS (RFC 8122 section 5).
/// A description may have several.
package struct CertificateFingerprint: AttributeValue {
    package static let attributeName = "fingerprint"
    /// The hash function's name in lower case, such as `sha-256`.
    package let hash: String
    package let bytes: [UInt8]

    /// Makes a fingerprint; `nil` if the length does not match the hash function.
    package init?(hash: String, bytes: [UInt8]) {
        self.hash = hash.lowercased()
        self.bytes = bytes
        guard Text.isToken(hash),
            Self.length(of: self.hash).map({ $0 == bytes.count }) ?? (1...64).contains(bytes.count)
        else { return nil }
    }

    package init?(attributeValue: String?) {
        guard let attributeValue else { return nil }
        let (hash, digits) = Text.cut(attributeValue, at: 0x20)
        guard let digits else { return nil }
        var bytes: [UInt8] = []
        for pair in Text.fields(digits, by: UInt8(ascii: ":")) {
            guard pair.utf8.count == 2, bytes.count < 64, let byte = Text.hexadecimal(pair) else { return nil }
            bytes.append(UInt8(byte))
        }
        self.init(hash: String(hash), bytes: bytes)
    }

    package var attributeValue: String? { "\(hash) \(bytes.map(Self.digits).joined(separator: ":"))" }

    /// True for SHA-256 or longer, which identify a certificate reliably. MD5 and SHA-1 can be forged.
    package var isStrong: Bool { ["sha-256", "sha-384", "sha-512"].contains(hash) }

    private static func digits(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }

    /// The length of a hash in bytes; `nil` for an unknown function.
    private static func length(of hash: String) -> Int? {
        switch hash {
        case "md5": 16
        case "sha-1": 20
        case "sha-224": 28
        case "sha-256": 32
        case "sha-384": 48
        case "sha-512": 64
        default: nil
        }
    }
}

/// `a=setup:active`: the sender's role in opening the connection (RFC 4145 section 4).
package enum SetupRole: String, AttributeValue {
    case active
    case passive
    case either = "actpass"
    case hold = "holdconn"

    package static let attributeName = "setup"
    package init?(attributeValue: String?) {
        guard let attributeValue else { return nil }
        self.init(rawValue: attributeValue)
    }
    package var attributeValue: String? { rawValue }
}
