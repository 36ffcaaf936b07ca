import HelioCore

/// The binding of the proofs and codes of a browser's session, in place of a TLS certificate: the DTLS certificates of
/// both ends, so that swapping either in plain signalling makes every proof wrong.
package enum WebBinding {
    /// Makes the binding: SHA-256 over the protocol's name, the host's fingerprint and the viewer's, each preceded by
    /// its length in four big-endian bytes.
    ///
    /// - Parameters:
    ///   - host: SHA-256 of the host's DTLS certificate.
    ///   - viewer: SHA-256 of the viewer's.
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
