import COpenSSL
package import HelioCore
package import HelioProtection

/// The DTLS 1.2 implementation on OpenSSL's libssl, restricted to ECDHE with AES-GCM or ChaCha20-Poly1305.
///
/// An instance serves one identity, and all of its associations share the `SSL_CTX`. `@unchecked Sendable`: the
/// `SSL_CTX` is not changed after `init`, and OpenSSL can make associations from it on any thread.
package final class OpenSSLDTLS: DTLSProvider, @unchecked Sendable {
    package let identity: DTLSIdentity
    let context: OpaquePointer

    package var fingerprint: DTLSFingerprint { identity.fingerprint }

    package init(_ identity: DTLSIdentity) throws(DTLSError) {
        defer { ERR_clear_error() }
        guard let context = SSL_CTX_new(DTLS_method()) else { throw .failed(operation: "SSL_CTX_new") }
        self.identity = identity
        self.context = context
        // `deinit` frees the context from here on, also if this initialiser throws.
        guard helio_ssl_context_restrict(context) == 1,
            SSL_CTX_set_cipher_list(context, "ECDHE+AESGCM:ECDHE+CHACHA20") == 1
        else { throw .failed(operation: "SSL_CTX_set_cipher_list") }
        guard SSL_CTX_use_certificate(context, identity.key.certificate) == 1,
            SSL_CTX_use_PrivateKey(context, identity.key.key) == 1
        else { throw .failed(operation: "SSL_CTX_use_certificate") }
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nil)
        // This callback replaces the check of certificate chains: only the fingerprint decides.
        SSL_CTX_set_cert_verify_callback(
            context,
            { store, _ in
                let ssl = X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx())
                guard let ssl, let transport = OpenSSLDTLSTransport.of(OpaquePointer(ssl)),
                    transport.recognise(X509_STORE_CTX_get0_cert(store))
                else {
                    X509_STORE_CTX_set_error(store, X509_V_ERR_CERT_REJECTED)
                    return 0
                }
                X509_STORE_CTX_set_error(store, X509_V_OK)
                return 1
            }, nil)
        SSL_CTX_set_cookie_generate_cb(context) { ssl, cookie, count in
            guard let transport = OpenSSLDTLSTransport.of(ssl), let cookie, let count else { return 0 }
            for (index, byte) in transport.cookie.bytes.enumerated() { cookie[index] = byte }
            count.pointee = UInt32(transport.cookie.count)
            return 1
        }
        SSL_CTX_set_cookie_verify_cb(context) { ssl, cookie, count in
            guard let transport = OpenSSLDTLSTransport.of(ssl), let cookie else { return 0 }
            let shown = SecretBytes(Array(UnsafeBufferPointer(start: cookie, count: Int(count))))
            return shown == transport.cookie ? 1 : 0
        }
    }

    deinit { SSL_CTX_free(context) }

    package func transport(
        _ configuration: DTLSConfiguration, now: Instant
    ) throws(DTLSError) -> any DTLSTransport {
        try OpenSSLDTLSTransport(self, configuration, now: now)
    }
}
