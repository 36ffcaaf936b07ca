import HelioCore

/// `a=crypto:1 AEAD_AES_128_GCM inline:BASE64`: the SRTP master key and salt with which the description's sender
/// encrypts (RFC 4568 section 4). Only a single key without lifetime and MKI is supported.
///
/// A line is refused, as RFC 4568 section 6.3 requires, if it has an unknown suite, several keys, a lifetime, an MKI or
/// a session parameter that must be understood (such as `UNENCRYPTED_SRTP`). Descriptions and reflection omit the key.
package struct CryptoAttribute: AttributeValue {
    package static let attributeName = "crypto"
    /// The number by which an answer refers to an offered line, with up to nine digits.
    package let tag: UInt32
    package let suite: CryptoSuite
    package let key: [UInt8]
    package let salt: [UInt8]

    /// Makes an attribute; `nil` if a length does not match the suite, or the tag has more than nine digits.
    package init?(tag: UInt32, suite: CryptoSuite, key: [UInt8], salt: [UInt8]) {
        guard tag < 1_000_000_000, key.count == suite.keyLength, salt.count == suite.saltLength else { return nil }
        self.tag = tag
        self.suite = suite
        self.key = key
        self.salt = salt
    }

    package init?(attributeValue: String?) {
        guard let attributeValue else { return nil }
        let fields = Text.fields(attributeValue, by: 0x20).filter { !$0.isEmpty }
        guard fields.count >= 3, let tag = Text.decimal(fields[0]).flatMap({ UInt32(exactly: $0) }),
            let suite = CryptoSuite(rawValue: String(fields[1])),
            fields.dropFirst(3).allSatisfy({ $0.utf8.first == UInt8(ascii: "-") })
        else { return nil }
        let (method, material) = Text.cut(fields[2], at: UInt8(ascii: ":"))
        guard Text.equalIgnoringCase(method, "inline"), let material, let bytes = Base64.decode(material),
            bytes.count == suite.keyLength + suite.saltLength
        else { return nil }
        self.init(
            tag: tag, suite: suite, key: Array(bytes.prefix(suite.keyLength)),
            salt: Array(bytes.dropFirst(suite.keyLength)))
    }

    package var attributeValue: String? { "\(tag) \(suite.rawValue) inline:\(Base64.encode(key + salt))" }
}

extension CryptoAttribute: CustomStringConvertible, CustomReflectable {
    package var description: String { "crypto:\(tag) \(suite.rawValue) <redacted>" }
    package var customMirror: Mirror { Mirror(self, children: ["tag": tag, "suite": suite.rawValue]) }
}

/// A supported crypto suite of RFC 4568 or RFC 7714 section 14.2.
package enum CryptoSuite: String, Sendable, CaseIterable {
    case aeadAES128GCM = "AEAD_AES_128_GCM"
    case aeadAES256GCM = "AEAD_AES_256_GCM"
    case aesCM128HMACSHA1With80Bits = "AES_CM_128_HMAC_SHA1_80"

    /// The length of the master key, in bytes.
    package var keyLength: Int { self == .aeadAES256GCM ? 32 : 16 }
    /// The length of the master salt, in bytes.
    package var saltLength: Int { self == .aesCM128HMACSHA1With80Bits ? 14 : 12 }
}
