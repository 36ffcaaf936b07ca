import HelioCore
import HelioProtection

/// DTLS for fuzzing: hellos with fingerprints, data and a close in the right order, all in clear text.
///
/// The first byte of a datagram is the content type of a DTLS record: 22 with a SHA-256 fingerprint, 23 with data, 21.
struct ToyDTLS: DTLSProvider {
    static let goodbye: UInt8 = 21
    static let hello: UInt8 = 22
    static let data: UInt8 = 23

    let fingerprint: DTLSFingerprint

    /// - Parameter number: the number of the certificate; different numbers are different certificates.
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
