import HelioCore

/// The derivation of one suite's keys from a fleet's injected secret, by HKDF with SHA-256 (RFC 5869).
///
///     root    = Extract(salt: iv, len(key) key len(authKey) authKey)
///     a key   = Expand(root, "heliograph suite 1" 0 suite 0 purpose 0 context)
///
/// The context of a packet key is the AES-GCM key that the suite stands in for. That key is drawn for this session and
/// this direction alone (SRTP derives one for RTP and one for RTCP from it), so that no two sessions, directions or
/// channels ever share a suite's key, though the injected secret is the same for all. Reading a packet takes both the
/// fleet's secret and the keys that went through TLS.
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

    /// The purpose of a key: no two purposes get the same key.
    enum Purpose: String {
        case encryption
        case authentication
        case proof
        case mask
    }

    /// Derives a key of at most 255 * 32 bytes.
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

    /// The key of the `LinkProof` by which an end shows that it has the fleet's secret, bound to the end's statement.
    package func proofKey(saying statement: String, crypto: any CryptoProvider) throws(CryptoError) -> SecretBytes {
        try key(.proof, context: Array(statement.utf8), count: 32, crypto: crypto)
    }

    /// Masks key material in signalling by XOR (row 35), inside TLS; the same call removes the mask. `label` and
    /// `nonces` must differ for each key that is sent.
    package func mask(
        _ material: SecretBytes, label: String, nonces: [UInt8], crypto: any CryptoProvider
    ) throws(CryptoError) -> SecretBytes {
        let stream = try key(.mask, context: Array((label + "\0").utf8) + nonces, count: material.count, crypto: crypto)
        return SecretBytes(zip(material.bytes, stream.bytes).map { $0 ^ $1 })
    }
}
