import HelioCore

/// One end's view of a pairing, and the short code by which two people verify that both ends have the same view.
///
/// Commit, then reveal: the viewer sends a hash of its nonce before it receives the host's, and the nonce itself only
/// after that. An attacker in between has to fix both nonces that it makes up before it can know either code, so that
/// each try makes the codes agree with a probability of 1 in 1,000,000, however much it computes.
package struct PairingExchange: Sendable {
    /// The length of each end's nonce, in bytes.
    package static let nonceLength = 16
    /// The length of the viewer's commitment, in bytes.
    package static let commitmentLength = 32

    private let binding: [UInt8]
    private let viewerName: String
    private let viewerNonce: [UInt8]

    /// - Parameters:
    ///   - binding: the fingerprint of the certificate that this end showed, or was shown, by TLS; of a browser's
    ///     session, `WebBinding`.
    ///   - viewerName: the name that the viewer gives itself.
    ///
    /// Returns `nil` if the binding is not the 32 bytes of a SHA-256, or the nonce has the wrong length.
    package init?(binding: [UInt8], viewerName: String, viewerNonce: [UInt8]) {
        guard binding.count == 32, viewerNonce.count == Self.nonceLength else { return nil }
        self.binding = binding
        self.viewerName = viewerName
        self.viewerNonce = viewerNonce
    }

    /// The viewer's commitment: SHA-256 over the protocol's name, the binding, the viewer's name and nonce, each
    /// preceded by its length in four big-endian bytes.
    package func commitment(crypto: some CryptoProvider) throws(CryptoError) -> [UInt8] {
        try hash("heliograph pairing commitment 1", [], crypto)
    }

    /// Returns true if `commitment` was made for this end's view.
    package func matches(_ commitment: [UInt8], crypto: some CryptoProvider) throws(CryptoError) -> Bool {
        let expected = try self.commitment(crypto: crypto)
        return isEqualInConstantTime(commitment.span.bytes, expected.span.bytes)
    }

    /// The code to compare: the first 64 bits of SHA-256 over the same fields as the commitment, with another protocol
    /// name and the host's nonce appended, modulo 1,000,000.
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
