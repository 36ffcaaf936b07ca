/// The cryptographic primitives for encryption and authentication. A driver implements them (OpenSSL, CryptoKit), so
/// that the engines depend on no library.
///
/// A context is made once per key and used for many packets; it allocates no memory per packet. Each call returns a new
/// context, which belongs to the caller.
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

    /// Hashes a whole message; the result has the algorithm's digest length.
    func hash(_ algorithm: HashAlgorithm, _ message: RawSpan) throws(CryptoError) -> [UInt8]
}

extension CryptoProvider {
    /// The SHA-256 of `message`, 32 bytes.
    package func sha256(_ message: RawSpan) throws(CryptoError) -> [UInt8] { try hash(.sha256, message) }
}

/// A hash algorithm for use outside of an HMAC.
package enum HashAlgorithm: Sendable {
    /// MD5, 16 bytes. It is broken, and used only for digest authentication with players that support no other hash.
    case md5
    /// SHA-256, 32 bytes.
    case sha256
}

/// The hash algorithm of an HMAC.
package enum MACAlgorithm: Sendable {
    /// HMAC-MD5, 16 bytes, only for the suites with `SuiteIntegrity.hmacMD5`.
    case md5
    /// HMAC-SHA1, 20 bytes.
    case sha1
    /// HMAC-SHA256, 32 bytes.
    case sha256
}
