/// The key of one direction of a sealed channel. The two directions need different keys, as their nonces would be
/// equal.
package struct SealedKey: Sendable, Equatable, CustomStringConvertible {
    package static let keyLength = 16
    package static let saltLength = 12

    /// The key for AES-128-GCM.
    package let key: SecretBytes
    package let salt: SecretBytes

    /// Makes a key from the concatenated key and salt; `nil` unless there are 28 bytes.
    package init?(keyAndSalt: [UInt8]) {
        guard keyAndSalt.count == Self.keyLength + Self.saltLength else { return nil }
        key = SecretBytes(Array(keyAndSalt[..<Self.keyLength]))
        salt = SecretBytes(Array(keyAndSalt[Self.keyLength...]))
    }

    /// Makes a random key and salt. The generator has to be secure, except in tests.
    package init(using generator: inout some RandomNumberGenerator) {
        key = SecretBytes(count: Self.keyLength, using: &generator)
        salt = SecretBytes(count: Self.saltLength, using: &generator)
    }

    /// The concatenated key and salt, for signalling.
    package var keyAndSalt: SecretBytes { SecretBytes(key.bytes + salt.bytes) }

    package var description: String { "<secret>" }

    /// The nonce of a datagram: the salt XOR the sequence number, right-aligned (RFC 8446 section 5.3).
    package func nonce(sequence: UInt64) -> AEADNonce {
        var nonce = AEADNonce { salt.bytes[$0] }
        for offset in 0..<8 { nonce[4 + offset] ^= UInt8(truncatingIfNeeded: sequence >> UInt64(56 - 8 * offset)) }
        return nonce
    }
}
