import COpenSSL
package import HelioProtection

/// A self-signed certificate and its key, by which a peer knows this end: P-256 with ECDSA (RFC 8827 section 6.5).
///
/// The name in it says nothing, so that nobody can be followed by it; who wants to be a stranger to the next peer takes
/// a new identity.
package final class DTLSIdentity: Sendable {
    /// SHA-256 of the certificate.
    package let fingerprint: DTLSFingerprint
    let key: CertifiedKey

    /// Draws a new key. Valid from a day ago, for peers whose clock is behind, and for `lifetime` from now.
    package init(lifetime: Duration = .seconds(30 * 86_400)) throws(DTLSError) {
        do throws(CryptoError) {
            key = try CertifiedKey(selfSigned: "WebRTC", lifetime: lifetime)
        } catch {
            throw .failed(operation: "CertifiedKey: \(error)")
        }
        guard let fingerprint = Self.fingerprint(of: key.certificate, .sha256) else {
            throw .failed(operation: "X509_digest")
        }
        self.fingerprint = fingerprint
    }

    static func fingerprint(of certificate: OpaquePointer?, _ hash: DTLSFingerprint.Hash) -> DTLSFingerprint? {
        let digest =
            switch hash {
            case .sha256: EVP_sha256()
            case .sha384: EVP_sha384()
            case .sha512: EVP_sha512()
            }
        return CertifiedKey.fingerprint(of: certificate, digest).flatMap { DTLSFingerprint(hash, $0) }
    }
}
