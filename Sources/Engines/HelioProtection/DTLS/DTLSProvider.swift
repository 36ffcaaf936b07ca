package import HelioCore

/// Makes DTLS associations that show one certificate. Filled by a driver.
package protocol DTLSProvider: Sendable {
    /// The SHA-256 fingerprint of the certificate, for the session description.
    var fingerprint: DTLSFingerprint { get }

    /// Makes a new association; if `configuration` says client, it begins at once.
    func transport(_ configuration: DTLSConfiguration, now: Instant) throws(DTLSError) -> any DTLSTransport
}
