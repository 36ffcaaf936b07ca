/// The primitives that protection is built from, implemented by a driver (OpenSSL, CryptoKit) so that the engines stay
/// free of libraries.
///
/// A context is made once for a key and used for each of its packets: it allocates when it is made, never for a packet.
/// A context belongs to its caller: a provider never returns the same one twice.
package protocol CryptoProvider: Sendable {
    /// Makes an AES-GCM sealer with a 16-byte tag; `key` has 16 or 32 bytes.
    func sealer(key: SecretBytes) throws(CryptoError) -> any AEADSealer

    /// Makes an AES-GCM opener with a 16-byte tag; `key` has 16 or 32 bytes.
    func opener(key: SecretBytes) throws(CryptoError) -> any AEADOpener

    /// Makes a keystream of AES in counter mode; `key` has 16 or 32 bytes.
    func keystream(key: SecretBytes) throws(CryptoError) -> any KeystreamContext

    /// Makes an encryptor in CBC mode; `key` has the cipher's length.
    func encryptor(_ cipher: SuiteCipher, key: SecretBytes) throws(CryptoError) -> any CBCContext

    /// Makes a decryptor in CBC mode; `key` has the cipher's length.
    func decryptor(_ cipher: SuiteCipher, key: SecretBytes) throws(CryptoError) -> any CBCContext

    /// Makes an HMAC (RFC 2104); `key` has any length.
    func mac(_ algorithm: MACAlgorithm, key: SecretBytes) throws(CryptoError) -> any MACContext

    /// The hash of `message`.
    func hash(_ algorithm: HashAlgorithm, _ message: RawSpan) throws(CryptoError) -> [UInt8]
}

extension CryptoProvider {
    /// The 32 bytes of SHA-256 over `message`.
    package func sha256(_ message: RawSpan) throws(CryptoError) -> [UInt8] { try hash(.sha256, message) }
}

/// A hash algorithm that is used by itself, not in an HMAC.
package enum HashAlgorithm: Sendable {
    /// 16 bytes. Broken: only for digest authentication with players that know no other.
    case md5
    /// 32 bytes.
    case sha256
}

/// The hash that an HMAC is built on.
package enum MACAlgorithm: Sendable {
    /// Codes of 16 bytes. Only for a suite of the spec's that asks for it.
    case md5
    /// Codes of 20 bytes.
    case sha1
    /// Codes of 32 bytes.
    case sha256
}
