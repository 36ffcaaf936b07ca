import HelioCore
import HelioProtection

/// A substitute for DTLS in fuzzing: hellos with fingerprints, data, and a close message, all in clear text.
///
/// The first byte of a datagram is a DTLS content type: 22 is followed by a SHA-256 fingerprint, 23 by data, and 21
/// closes the association.
struct ToyDTLS: DTLSProvider {
    static let goodbye: UInt8 = 21
    static let hello: UInt8 = 22
    static let data: UInt8 = 23

    let fingerprint: DTLSFingerprint

    /// - Parameter number: the certificate's number, from which its fingerprint is made.
    init(_ number: UInt8) {
        guard let print = DTLSFingerprint(.sha256, [UInt8](repeating: number, count: 32)) else {
            preconditionFailure("32 bytes are SHA-256's")
        }
        fingerprint = print
    }

    func transport(_ configuration: DTLSConfiguration, now: Instant) throws(DTLSError) -> any DTLSTransport {
        guard !configuration.expected.isEmpty else { throw .noFingerprint }
        return ToyDTLSTransport(fingerprint, configuration, now)
    }
}
