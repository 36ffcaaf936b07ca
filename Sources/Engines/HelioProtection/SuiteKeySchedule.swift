import HelioCore

/// The key derivation of a suite from the injected secret of a fleet, by HKDF with SHA-256 (RFC 5869).
///
///     root    = Extract(salt: iv, len(key) key len(authKey) authKey)
///     a key   = Expand(root, "heliograph suite 1" 0 suite 0 purpose 0 context)
///
/// The context of a packet key is the AES-GCM key that the suite replaces. That key is random and new for each session
/// and direction, and SRTP derives separate keys for RTP and RTCP from it. So no two sessions, directions or channels
/// share a key, although they share the injected secret. Decryption requires both the fleet's secret and the session
/// keys sent over TLS.
package struct SuiteKeySchedule: Sendable {
    package let suite: ProtectionSuite
    private let root: SecretBytes

    package init(_ suite: ProtectionSuite, _ secret: SuiteSecret, crypto: any CryptoProvider) throws(CryptoError) {
        self.suite = suite
        var material: [UInt8] = []
        for part in [secret.key, secret.authenticationKey] {
            material.append(bigEndian: UInt32(part.count))
            material.append(contentsOf: part.bytes)
        }
        root = SecretBytes(
            try crypto.mac(.sha256, key: secret.vector).code(over: material.span.bytes, trailer: nil).bytes)
    }

    /// The purpose of a key, which is an input of the derivation.
    enum Purpose: String {
        case encryption
        case authentication
        case proof
        case mask
    }

    /// Derives a key of `count` bytes, at most 255 * 32.
    func key(
        _ purpose: Purpose, context: [UInt8], count: Int, crypto: any CryptoProvider
    ) throws(CryptoError) -> SecretBytes {
        let mac = try crypto.mac(.sha256, key: root)
        var info = Array("heliograph suite 1\0\(suite.name)\0\(purpose.rawValue)\0".utf8)
        info.append(contentsOf: context)
        var bytes: [UInt8] = []
        var block: [UInt8] = []
        var number: UInt8 = 0
        while bytes.count < count {
            number += 1
            block = mac.code(over: (block + info + [number]).span.bytes, trailer: nil).bytes
            bytes += block
        }
        return SecretBytes(Array(bytes.prefix(count)))
    }

    /// The key of the `LinkProof` by which an end proves knowledge of the fleet's secret. It depends on `statement`, so
    /// that the proof authenticates the statement too.
    package func proofKey(saying statement: String, crypto: any CryptoProvider) throws(CryptoError) -> SecretBytes {
        try key(.proof, context: Array(statement.utf8), count: 32, crypto: crypto)
    }

    /// Masks key material in signalling by XOR, in addition to TLS (requirement row 35). The same call removes the
    /// mask. The combination of `label` and `nonces` has to be different for each key.
    package func mask(
        _ material: SecretBytes, label: String, nonces: [UInt8], crypto: any CryptoProvider
    ) throws(CryptoError) -> SecretBytes {
        let stream = try key(.mask, context: Array((label + "\0").utf8) + nonces, count: material.count, crypto: crypto)
        return SecretBytes(zip(material.bytes, stream.bytes).map { $0 ^ $1 })
    }
}
