package import HelioCore

/// Makes DTLS associations that show one certificate. Filled by a driver.
package protocol DTLSProvider: Sendable {
    /// SHA-256 of the certificate, for the session description.
    var fingerprint: DTLSFingerprint { get }

    /// A new association; where `configuration` says client, it begins at once.
    func transport(_ configuration: DTLSConfiguration, now: Instant) throws(DTLSError) -> any DTLSTransport
}
