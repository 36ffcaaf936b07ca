package import HelioCore

/// A factory of DTLS associations with one local certificate, implemented by a driver.
package protocol DTLSProvider: Sendable {
    /// The SHA-256 fingerprint of the certificate, for the session description.
    var fingerprint: DTLSFingerprint { get }

    /// Makes a new association; a client begins the handshake at once.
    func transport(_ configuration: DTLSConfiguration, now: Instant) throws(DTLSError) -> any DTLSTransport
}
