internal import HelioCore
package import HelioProtection
package import HelioRendezvousWire

/// The derivation of everything that two ends of a call have in common from their secret, by HKDF with SHA-256 (RFC
/// 5869).
///
///     root   = Extract(salt: "heliograph call 1", secret)
///     value  = Expand(root, purpose 0 context)
///
/// The secret is that of a pairing, or that of a share link.
package struct CallKeys: Sendable {
    /// The purpose of a derived value; the raw value is an input of the derivation.
    enum Purpose: String {
        /// The token to ring with: 16 bytes. The context is the device, so that who has stolen the tags of many devices
        /// has to guess for each by itself: a link's secret has 80 bits.
        case token
        /// The key of the ringer's messages until it knows the host's nonce. The context is the device and the
        /// ringer's nonce.
        case ringerFirst = "ringer first"
        /// The key of the ringer's other messages. The context is the device, the ringer's nonce and the host's nonce.
        case ringer
        /// The key of the host's messages, with the same context. The ringer's nonce alone would not do even for the
        /// first one: who plays a ringer's first envelope again would have two messages under one key and nonce.
        case host
        /// The secret for the links of the session, with the same context.
        case link
    }

    private let root: SecretBytes
    private let crypto: any CryptoProvider

    init(_ secret: SecretBytes, crypto: any CryptoProvider) throws(CryptoError) {
        let salt = SecretBytes(Array("heliograph call 1".utf8))
        root = SecretBytes(try crypto.mac(.sha256, key: salt).code(over: secret.bytes.span.bytes, trailer: nil).bytes)
        self.crypto = crypto
    }

    /// Derives the token by which a ringer that knows the secret may ring the device.
    package static func token(
        of secret: SecretBytes, for device: RendezvousID, _ crypto: any CryptoProvider
    ) throws(CryptoError) -> RingToken {
        let keys = try CallKeys(secret, crypto: crypto)
        let bytes = try keys.value(.token, context: device.bytes, count: RingToken.length)
        guard let token = RingToken(bytes.bytes) else { throw .badLength(bytes.count) }
        return token
    }

    /// Hashes a token to the tag that a host publishes: the first 16 bytes of the SHA-256.
    package static func tag(of token: RingToken, _ crypto: any CryptoProvider) throws(CryptoError) -> RingTag {
        let digest = try crypto.sha256(token.bytes.span.bytes)
        guard let tag = RingTag(Array(digest.prefix(RingTag.length))) else { throw .badLength(digest.count) }
        return tag
    }

    /// Hashes a device's public key to its name: the first 16 bytes of the SHA-256.
    package static func device(
        of publicKey: [UInt8], _ crypto: any CryptoProvider
    ) throws(CryptoError) -> RendezvousID {
        let digest = try crypto.sha256(publicKey.span.bytes)
        guard let device = RendezvousID(Array(digest.prefix(RendezvousID.length))) else {
            throw .badLength(digest.count)
        }
        return device
    }

    /// Derives `count` bytes, at most 255 * 32.
    func value(_ purpose: Purpose, context: [UInt8], count: Int) throws(CryptoError) -> SecretBytes {
        let mac = try crypto.mac(.sha256, key: root)
        let info = Array(purpose.rawValue.utf8) + [0] + context
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
}
