import COpenSSL
package import HelioProtection

/// A self-signed certificate and its key, by which a peer knows this end: P-256 with ECDSA (RFC 8827 section 6.5).
///
/// The name in it says nothing, so that nobody can be followed by it; who wants to be a stranger to the next peer takes
/// a new identity.
///
/// `@unchecked Sendable`: key and certificate are never changed again, and OpenSSL counts references atomically.
package final class DTLSIdentity: @unchecked Sendable {
    /// SHA-256 of the certificate.
    package let fingerprint: DTLSFingerprint

    let key: OpaquePointer
    let certificate: OpaquePointer

    /// Draws a new key. Valid from a day ago, for peers whose clock is behind, and for `lifetime` from now.
    package init(lifetime: Duration = .seconds(30 * 86_400)) throws(DTLSError) {
        defer { ERR_clear_error() }
        guard let key = helio_ssl_new_p256_key() else { throw .failed(operation: "EVP_EC_gen") }
        guard let certificate = X509_new() else {
            EVP_PKEY_free(key)
            throw .failed(operation: "X509_new")
        }
        guard Self.fill(certificate, key: key, seconds: Int(lifetime.components.seconds)),
            let fingerprint = Self.fingerprint(of: certificate, .sha256)
        else {
            X509_free(certificate)
            EVP_PKEY_free(key)
            throw .failed(operation: "X509_sign")
        }
        self.key = key
        self.certificate = certificate
        self.fingerprint = fingerprint
    }

    deinit {
        X509_free(certificate)
        EVP_PKEY_free(key)
    }

    static func fingerprint(of certificate: OpaquePointer?, _ hash: DTLSFingerprint.Hash) -> DTLSFingerprint? {
        let digest =
            switch hash {
            case .sha256: EVP_sha256()
            case .sha384: EVP_sha384()
            case .sha512: EVP_sha512()
            }
        var bytes = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        guard X509_digest(certificate, digest, &bytes, &count) == 1 else { return nil }
        return DTLSFingerprint(hash, Array(bytes.prefix(Int(count))))
    }

    private static func fill(_ certificate: OpaquePointer, key: OpaquePointer, seconds: Int) -> Bool {
        var generator = SecureGenerator()
        // 63 bits: a serial number is positive (RFC 5280 section 4.1.2.2).
        let serial = generator.next() >> 1 | 1
        guard let name = X509_NAME_new() else { return false }
        defer { X509_NAME_free(name) }
        return X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, "WebRTC", -1, -1, 0) == 1
            && X509_set_version(certificate, 2) == 1
            && ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), serial) == 1
            && X509_gmtime_adj(X509_getm_notBefore(certificate), -86_400) != nil
            && X509_gmtime_adj(X509_getm_notAfter(certificate), seconds) != nil
            && X509_set_subject_name(certificate, name) == 1
            && X509_set_issuer_name(certificate, name) == 1
            && X509_set_pubkey(certificate, key) == 1
            && X509_sign(certificate, key, EVP_sha256()) > 0
    }
}
