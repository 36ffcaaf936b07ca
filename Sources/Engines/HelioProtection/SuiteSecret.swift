/// The secret of a closed fleet of devices: the `key`, `iv` and `authKey` that an app injects before the start (row
/// 37).
///
/// No part of it is ever used on a packet. A key used unchanged in many sessions and both directions would encrypt
/// equal packets alike, and one vector for all packets shows which of them begin alike. So the three only feed the
/// derivation of `SuiteKeySchedule`; every direction of every session gets keys of its own, and every packet a vector
/// of its own.
package struct SuiteSecret: Sendable, Equatable, CustomStringConvertible {
    package static let vectorLength = SuiteCipher.blockLength
    package static let authenticationKeyLengths = 16...64

    package let key: SecretBytes
    package let vector: SecretBytes
    package let authenticationKey: SecretBytes

    /// Makes a secret of its three parts; `nil` if a length does not fit: the key's is the cipher's, the vector has 16
    /// bytes, the authentication key 16 to 64.
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
