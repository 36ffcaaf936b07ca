import COpenSSL
package import HelioProtection

/// A private key with its certificate.
///
/// `@unchecked Sendable`: key and certificate are never changed after initialisation, and OpenSSL counts references
/// atomically.
package final class CertifiedKey: @unchecked Sendable {
    package let key: OpaquePointer
    package let certificate: OpaquePointer
    /// The certificates of the authorities between this one and a trusted one, which a server shows too.
    package let chain: [OpaquePointer]

    /// The most certificates of a chain, more than any authority has.
    private static let longestChain = 8

    /// Makes a P-256 key and a self-signed certificate for it (ECDSA).
    ///
    /// - Parameters:
    ///   - name: the common name of the subject and issuer.
    ///   - lifetime: the time until the certificate expires. Its validity began a day ago, for peers whose clock is
    ///     behind.
    package init(selfSigned name: String, lifetime: Duration) throws(CryptoError) {
        defer { ERR_clear_error() }
        guard let key = helio_ssl_new_p256_key() else { throw .failed(operation: "EVP_EC_gen") }
        guard let certificate = X509_new() else {
            EVP_PKEY_free(key)
            throw .failed(operation: "X509_new")
        }
        self.key = key
        self.certificate = certificate
        chain = []
        // `deinit` frees both from here on, also if this initialiser throws.
        guard Self.fill(certificate, name: name, key: key, seconds: Int(lifetime.components.seconds)) else {
            throw .failed(operation: "X509_sign")
        }
    }

    /// Reads key and certificate from PEM: the first certificate, those of its chain behind it, and a key without a
    /// password.
    package init(keyPEM: [UInt8], certificatePEM: [UInt8]) throws(CryptoError) {
        defer { ERR_clear_error() }
        guard let key = KeyText.readKey(keyPEM) else { throw .failed(operation: "PEM_read_bio_PrivateKey") }
        var chain: [OpaquePointer] = []
        let certificate = KeyText.read(certificatePEM) { source in
            let first = PEM_read_bio_X509(source, nil, { _, _, _, _ in -1 }, nil)
            while first != nil, chain.count < Self.longestChain,
                let next = PEM_read_bio_X509(source, nil, { _, _, _, _ in -1 }, nil)
            { chain.append(next) }
            return first
        }
        guard let certificate else {
            EVP_PKEY_free(key)
            throw .failed(operation: "PEM_read_bio_X509")
        }
        self.key = key
        self.certificate = certificate
        self.chain = chain
        guard X509_check_private_key(certificate, key) == 1 else { throw .failed(operation: "X509_check_private_key") }
    }

    deinit {
        for certificate in chain { X509_free(certificate) }
        X509_free(certificate)
        EVP_PKEY_free(key)
    }

    /// Returns the key in PEM (PKCS #8, without a password).
    package func keyPEM() throws(CryptoError) -> [UInt8] { try KeyText.writeKey(key) }

    package func certificatePEM() throws(CryptoError) -> [UInt8] {
        try KeyText.write("PEM_write_bio_X509") { PEM_write_bio_X509($0, certificate) }
    }

    /// Returns the SHA-256 of the certificate in DER, 32 bytes.
    package func fingerprint() throws(CryptoError) -> [UInt8] {
        guard let bytes = Self.fingerprint(of: certificate, EVP_sha256()) else {
            throw .failed(operation: "X509_digest")
        }
        return bytes
    }

    /// Returns the hash of a certificate in DER; `nil` if OpenSSL fails.
    package static func fingerprint(of certificate: OpaquePointer?, _ digest: OpaquePointer?) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        guard X509_digest(certificate, digest, &bytes, &count) == 1 else { return nil }
        return Array(bytes.prefix(Int(count)))
    }

    private static func fill(_ certificate: OpaquePointer, name: String, key: OpaquePointer, seconds: Int) -> Bool {
        var generator = SecureGenerator()
        // The serial number has 63 bits, as it has to be positive (RFC 5280 section 4.1.2.2).
        let serial = generator.next() >> 1 | 1
        guard let names = X509_NAME_new() else { return false }
        defer { X509_NAME_free(names) }
        return X509_NAME_add_entry_by_txt(names, "CN", MBSTRING_UTF8, name, -1, -1, 0) == 1
            && X509_set_version(certificate, 2) == 1
            && ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), serial) == 1
            && X509_gmtime_adj(X509_getm_notBefore(certificate), -86_400) != nil
            && X509_gmtime_adj(X509_getm_notAfter(certificate), seconds) != nil
            && X509_set_subject_name(certificate, names) == 1
            && X509_set_issuer_name(certificate, names) == 1
            && X509_set_pubkey(certificate, key) == 1
            && X509_sign(certificate, key, EVP_sha256()) > 0
    }
}
