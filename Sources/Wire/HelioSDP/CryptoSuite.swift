/// The suites that RFC 4568 and RFC 7714 section 14.2 name and Heliograph knows.
package enum CryptoSuite: String, Sendable, CaseIterable {
    case aeadAES128GCM = "AEAD_AES_128_GCM"
    case aeadAES256GCM = "AEAD_AES_256_GCM"
    case aesCM128HMACSHA1With80Bits = "AES_CM_128_HMAC_SHA1_80"

    /// Bytes of the master key.
    package var keyLength: Int { self == .aeadAES256GCM ? 32 : 16 }
    /// Bytes of the master salt.
    package var saltLength: Int { self == .aesCM128HMACSHA1With80Bits ? 14 : 12 }
}
