import COpenSSL
package import HelioProtection
import HelioRendezvous

/// A private key for signatures by Ed25519 (RFC 8032): what a device shows a rendezvous server.
///
/// `@unchecked Sendable`: the key is never changed after initialisation, and OpenSSL counts references atomically.
package final class Ed25519Key: DeviceSigner, @unchecked Sendable {
    /// The number of bytes of a public key.
    package static let publicKeyLength = 32
    /// The number of bytes of a signature.
    package static let signatureLength = 64

    /// The public key, 32 bytes.
    package let publicKey: [UInt8]
    private let key: OpaquePointer

    /// Makes a new key from 32 random bytes (RFC 8032 section 5.1.5).
    package convenience init() throws(CryptoError) {
        defer { ERR_clear_error() }
        var generator = SecureGenerator()
        let seed = SecretBytes(generator.bytes(count: 32))
        guard let key = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, seed.bytes, 32) else {
            throw .failed(operation: "EVP_PKEY_new_raw_private_key")
        }
        try self.init(owning: key)
    }

    /// Reads a key from PEM, without a password. Throws if the text is no key, or one of another kind.
    package convenience init(pem: [UInt8]) throws(CryptoError) {
        defer { ERR_clear_error() }
        guard let key = KeyText.readKey(pem) else { throw .failed(operation: "PEM_read_bio_PrivateKey") }
        try self.init(owning: key)
    }

    /// Takes a key over, which is freed also if it is of another kind.
    private init(owning key: OpaquePointer) throws(CryptoError) {
        self.key = key
        var bytes = [UInt8](repeating: 0, count: Self.publicKeyLength)
        var count = bytes.count
        let isKey =
            EVP_PKEY_get_id(key) == EVP_PKEY_ED25519 && EVP_PKEY_get_raw_public_key(key, &bytes, &count) == 1
            && count == bytes.count
        publicKey = bytes
        // `deinit` frees the key from here on, also if this initialiser throws.
        guard isKey else { throw .failed(operation: "EVP_PKEY_get_raw_public_key") }
    }

    deinit { EVP_PKEY_free(key) }

    /// Returns the key in PEM (PKCS #8, without a password).
    package func pem() throws(CryptoError) -> [UInt8] { try KeyText.writeKey(key) }

    /// Signs a message; the signature has 64 bytes.
    package func sign(_ message: [UInt8]) throws(CryptoError) -> [UInt8] {
        defer { ERR_clear_error() }
        guard let context = EVP_MD_CTX_new() else { throw .failed(operation: "EVP_MD_CTX_new") }
        defer { EVP_MD_CTX_free(context) }
        var signature = [UInt8](repeating: 0, count: Self.signatureLength)
        var count = signature.count
        // Ed25519 hashes by itself, so no digest is given.
        guard EVP_DigestSignInit(context, nil, nil, nil, key) == 1,
            EVP_DigestSign(context, &signature, &count, message, message.count) == 1, count == signature.count
        else { throw .failed(operation: "EVP_DigestSign") }
        return signature
    }
}
