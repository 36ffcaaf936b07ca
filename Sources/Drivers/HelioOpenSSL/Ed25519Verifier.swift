import COpenSSL
import HelioRendezvous

/// Checks signatures by Ed25519 (RFC 8032).
package struct Ed25519Verifier: SignatureVerifier {
    package init() {}

    /// True if the owner of the public key has signed the message; false also for keys and signatures of a wrong
    /// length.
    package func isValid(_ signature: [UInt8], of message: [UInt8], by publicKey: [UInt8]) -> Bool {
        defer { ERR_clear_error() }
        guard signature.count == Ed25519Key.signatureLength, publicKey.count == Ed25519Key.publicKeyLength,
            let key = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nil, publicKey, publicKey.count)
        else { return false }
        defer { EVP_PKEY_free(key) }
        guard let context = EVP_MD_CTX_new() else { return false }
        defer { EVP_MD_CTX_free(context) }
        return EVP_DigestVerifyInit(context, nil, nil, nil, key) == 1
            && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }
}
