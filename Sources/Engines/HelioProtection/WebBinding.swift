import HelioCore

/// The channel binding of proofs and pairing codes in a browser's session, which replaces the TLS certificate. It
/// hashes the DTLS fingerprints of both ends, so that a replacement of one of them in unencrypted signalling
/// invalidates all proofs.
package enum WebBinding {
    /// Makes the binding: the SHA-256 of the protocol name, the host's fingerprint and the viewer's fingerprint, each
    /// preceded by its length in 4 big-endian bytes.
    ///
    /// - Parameters:
    ///   - host: the SHA-256 of the host's DTLS certificate.
    ///   - viewer: the SHA-256 of the viewer's DTLS certificate.
    package static func digest(
        host: [UInt8], viewer: [UInt8], crypto: some CryptoProvider
    ) throws(CryptoError) -> [UInt8] {
        var message: [UInt8] = []
        for field in [Array("heliograph web binding 1".utf8), host, viewer] {
            message.append(bigEndian: UInt32(field.count))
            message.append(contentsOf: field)
        }
        return try crypto.sha256(message.span.bytes)
    }
}
