import COpenSSL
package import HelioProtection

/// The cryptographic primitives, implemented by OpenSSL's libcrypto (3.0 or newer).
package struct OpenSSLCrypto: CryptoProvider {
    package init() {}

    package func sealer(key: SecretBytes) throws(CryptoError) -> any AEADSealer {
        try OpenSSLSealer(key: key)
    }

    package func opener(key: SecretBytes) throws(CryptoError) -> any AEADOpener {
        try OpenSSLOpener(key: key)
    }

    package func keystream(key: SecretBytes) throws(CryptoError) -> any KeystreamContext {
        try OpenSSLKeystream(key: key)
    }

    package func encryptor(_ cipher: SuiteCipher, key: SecretBytes) throws(CryptoError) -> any CBCContext {
        try OpenSSLCBC(cipher, key: key, isEncrypting: true)
    }

    package func decryptor(_ cipher: SuiteCipher, key: SecretBytes) throws(CryptoError) -> any CBCContext {
        try OpenSSLCBC(cipher, key: key, isEncrypting: false)
    }

    package func mac(_ algorithm: MACAlgorithm, key: SecretBytes) throws(CryptoError) -> any MACContext {
        switch algorithm {
        case .md5: OpenSSLHMAC<MD5Digest>(key: key)
        case .sha1: OpenSSLHMAC<SHA1Digest>(key: key)
        case .sha256: OpenSSLHMAC<SHA256Digest>(key: key)
        }
    }

    package func hash(_ algorithm: HashAlgorithm, _ message: RawSpan) throws(CryptoError) -> [UInt8] {
        switch algorithm {
        case .md5: MD5Digest.hash(message)
        case .sha256: SHA256Digest.hash(message)
        }
    }

    /// Returns the SHA-256 of bytes, 32 bytes long. Can't fail.
    package static func sha256(_ bytes: [UInt8]) -> [UInt8] { SHA256Digest.hash(bytes.span.bytes) }
}
