import HelioCore

/// The values of a pairing as known to one end, and the short code by which the users verify that both ends have the
/// same values.
///
/// The protocol is commit and reveal: the viewer sends a hash of its nonce before it receives the host's nonce, and
/// reveals its nonce afterwards. A man in the middle has to choose its nonces before it knows either code. So an attack
/// succeeds with a probability of 1 in 1,000,000, regardless of computing power.
package struct PairingExchange: Sendable {
    /// The length of each end's nonce, in bytes.
    package static let nonceLength = 16
    /// The length of the viewer's commitment, in bytes.
    package static let commitmentLength = 32

    private let binding: [UInt8]
    private let viewerName: String
    private let viewerNonce: [UInt8]

    /// - Parameters:
    ///   - binding: the SHA-256 fingerprint of the host's TLS certificate; for a browser's session, the `WebBinding`.
    ///   - viewerName: the name that the viewer has chosen for itself.
    ///
    /// Returns `nil` if the binding does not have 32 bytes, or the nonce has the wrong length.
    package init?(binding: [UInt8], viewerName: String, viewerNonce: [UInt8]) {
        guard binding.count == 32, viewerNonce.count == Self.nonceLength else { return nil }
        self.binding = binding
        self.viewerName = viewerName
        self.viewerNonce = viewerNonce
    }

    /// The viewer's commitment: the SHA-256 of the protocol name, the binding, the viewer's name and the viewer's
    /// nonce, each preceded by its length in 4 big-endian bytes.
    package func commitment(crypto: some CryptoProvider) throws(CryptoError) -> [UInt8] {
        try hash("heliograph pairing commitment 1", [], crypto)
    }

    /// Returns true if `commitment` was made from the same values. The comparison takes constant time.
    package func matches(_ commitment: [UInt8], crypto: some CryptoProvider) throws(CryptoError) -> Bool {
        let expected = try self.commitment(crypto: crypto)
        return isEqualInConstantTime(commitment.span.bytes, expected.span.bytes)
    }

    /// The code to compare. It is the first 64 bits of a SHA-256, modulo 1,000,000. The hashed fields are those of the
    /// commitment with another protocol name, and the host's nonce.
    package func code(hostNonce: [UInt8], crypto: some CryptoProvider) throws(CryptoError) -> PairingCode {
        let digest = try hash("heliograph pairing code 1", [hostNonce], crypto)
        return PairingCode(digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }

    private func hash(
        _ name: String, _ more: [[UInt8]], _ crypto: some CryptoProvider
    ) throws(CryptoError) -> [UInt8] {
        var message: [UInt8] = []
        for field in [Array(name.utf8), binding, Array(viewerName.utf8), viewerNonce] + more {
            message.append(bigEndian: UInt32(field.count))
            message.append(contentsOf: field)
        }
        return try crypto.sha256(message.span.bytes)
    }
}
