/// The key of one direction of a sealed channel. Each direction has its own: with one key for both, the two
/// ends would use the same nonces.
package struct SealedKey: Sendable, Equatable, CustomStringConvertible {
    package static let keyLength = 16
    package static let saltLength = 12

    /// The key for AES-128-GCM.
    package let key: SecretBytes
    package let salt: SecretBytes

    /// Makes a key from key and salt in one piece; `nil` if they are not 28 bytes.
    package init?(keyAndSalt: [UInt8]) {
        guard keyAndSalt.count == Self.keyLength + Self.saltLength else { return nil }
        key = SecretBytes(Array(keyAndSalt[..<Self.keyLength]))
        salt = SecretBytes(Array(keyAndSalt[Self.keyLength...]))
    }

    /// Draws a new key and salt from `generator`, which must be the driver's secure one except in tests.
    package init(using generator: inout some RandomNumberGenerator) {
        key = SecretBytes(count: Self.keyLength, using: &generator)
        salt = SecretBytes(count: Self.saltLength, using: &generator)
    }

    /// Key and salt in one piece, for signalling.
    package var keyAndSalt: SecretBytes { SecretBytes(key.bytes + salt.bytes) }

    package var description: String { "<secret>" }

    /// The nonce of a datagram: the salt, with its last 8 bytes XORed with the sequence (RFC 8446 section 5.3).
    func nonce(sequence: UInt64) -> AEADNonce {
        var nonce = AEADNonce { salt.bytes[$0] }
        for offset in 0..<8 { nonce[4 + offset] ^= UInt8(truncatingIfNeeded: sequence >> UInt64(56 - 8 * offset)) }
        return nonce
    }
}
