import COpenSSL
package import HelioProtection

/// A self-signed certificate and its P-256 key, which identify this end to a peer by ECDSA (RFC 8827 section 6.5).
///
/// All certificates have the same name, so that users can't be tracked by it. Make a new identity for a peer that must
/// not recognise this end.
package final class DTLSIdentity: Sendable {
    /// The SHA-256 of the certificate.
    package let fingerprint: DTLSFingerprint
    let key: CertifiedKey

    /// Makes a new key and certificate. The certificate expires after `lifetime`; its validity began a day ago, for
    /// peers whose clock is behind.
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
