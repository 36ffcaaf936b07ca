package import HelioProtection

/// A device's own key, which signs by Ed25519 (RFC 8032). A driver implements it.
package protocol DeviceSigner: Sendable {
    /// The public key, 32 bytes.
    var publicKey: [UInt8] { get }
    /// Signs a message; the signature has 64 bytes.
    func sign(_ message: [UInt8]) throws(CryptoError) -> [UInt8]
}

/// A check of signatures by Ed25519 (RFC 8032). A driver implements it.
package protocol SignatureVerifier: Sendable {
    /// Returns true if `signature` (64 bytes) is that of `message` by the owner of `publicKey` (32 bytes).
    func isValid(_ signature: [UInt8], of message: [UInt8], by publicKey: [UInt8]) -> Bool
}
