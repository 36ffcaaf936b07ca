import HelioCore
import HelioProtection

/// The keys of a bundle, one a direction, from its secret by HKDF with SHA-256 (RFC 5869).
struct LinkKeys {
    static let secretLength = 32

    var viewer: SealedKey
    var host: SealedKey

    /// - Throws: `badLength` unless the secret has 32 bytes.
    init(_ secret: SecretBytes, crypto: any CryptoProvider) throws(CryptoError) {
        guard secret.count == Self.secretLength else { throw .badLength(secret.count) }
        let salt = SecretBytes(Array("heliograph links 1".utf8))
        let root = SecretBytes(
            try crypto.mac(.sha256, key: salt).code(over: secret.bytes.span.bytes, trailer: nil).bytes)
        viewer = try Self.expand(root, "heliograph links 1\0viewer to host\0", crypto)
        host = try Self.expand(root, "heliograph links 1\0host to viewer\0", crypto)
    }

    /// Derives a key: one block of 32 bytes, of which 28 are used.
    private static func expand(
        _ root: SecretBytes, _ info: String, _ crypto: any CryptoProvider
    ) throws(CryptoError) -> SealedKey {
        let block = try crypto.mac(.sha256, key: root).code(over: (Array(info.utf8) + [1]).span.bytes, trailer: nil)
        let bytes = Array(block.bytes.prefix(SealedKey.keyLength + SealedKey.saltLength))
        guard let key = SealedKey(keyAndSalt: bytes) else { throw .failed(operation: "HKDF") }
        return key
    }
}
