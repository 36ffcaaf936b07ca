/// The secret of a closed fleet of devices: the `key`, `iv` and `authKey` that an app injects before the start
/// (requirement row 37).
///
/// No packet is encrypted with these values directly. With the same key and vector for all packets, equal plaintexts,
/// and plaintexts with equal beginnings, would be recognisable. So the three values are only the input of
/// `SuiteKeySchedule`, which derives separate keys for each session and direction; each packet has a separate vector.
package struct SuiteSecret: Sendable, Equatable, CustomStringConvertible {
    package static let vectorLength = SuiteCipher.blockLength
    package static let authenticationKeyLengths = 16...64

    package let key: SecretBytes
    package let vector: SecretBytes
    package let authenticationKey: SecretBytes

    /// Makes a secret; `nil` if a length is wrong. The key has the cipher's key length, the vector 16 bytes, the
    /// authentication key 16 to 64 bytes.
    package init?(for cipher: SuiteCipher, key: SecretBytes, vector: SecretBytes, authenticationKey: SecretBytes) {
        guard key.count == cipher.keyLength, vector.count == Self.vectorLength,
            Self.authenticationKeyLengths.contains(authenticationKey.count)
        else { return nil }
        self.key = key
        self.vector = vector
        self.authenticationKey = authenticationKey
    }

    package var description: String { "<secret>" }
}
