private import COpenSSL
internal import HelioCore
internal import HelioOpenSSL

/// Owns an `SSL_CTX`.
///
/// `@unchecked Sendable`: the settings are not changed after the owner's initialisation, and OpenSSL can make
/// connections from them on any thread.
final class OpenSSLContext: @unchecked Sendable {
    let pointer: OpaquePointer

    init(from oldest: TLSVersion) throws(HelioError) {
        defer { ERR_clear_error() }
        guard let context = SSL_CTX_new(TLS_method()) else { throw Self.failure("SSL_CTX_new") }
        pointer = context
        // `deinit` frees the context from here on, also if this initialiser throws.
        let version = oldest == .tls12 ? TLS1_2_VERSION : TLS1_3_VERSION
        guard helio_tls_context_restrict(context, version) == 1 else { throw Self.failure("SSL_CTX_set_cipher_list") }
        TLSStream.install(in: context)
    }

    deinit { SSL_CTX_free(pointer) }

    func show(_ identity: CertifiedKey) throws(HelioError) {
        defer { ERR_clear_error() }
        guard SSL_CTX_use_certificate(pointer, identity.certificate) == 1,
            SSL_CTX_use_PrivateKey(pointer, identity.key) == 1
        else { throw Self.failure("SSL_CTX_use_certificate") }
        for certificate in identity.chain {
            // The macro SSL_CTX_add1_chain_cert, which Swift can't import: the context takes a reference of its own.
            guard SSL_CTX_ctrl(pointer, SSL_CTRL_CHAIN_CERT, 1, UnsafeMutableRawPointer(certificate)) == 1 else {
                throw Self.failure("SSL_CTX_add1_chain_cert")
            }
        }
    }

    func trust(_ authorities: TLSAuthorities) throws(HelioError) {
        defer { ERR_clear_error() }
        SSL_CTX_set_verify(pointer, SSL_VERIFY_PEER, nil)
        switch authorities {
        case .none: break
        case .system:
            guard SSL_CTX_set_default_verify_paths(pointer) == 1 else {
                throw Self.failure("SSL_CTX_set_default_verify_paths")
            }
        case .file(let path):
            guard SSL_CTX_load_verify_file(pointer, path) == 1 else {
                throw HelioError(.systemFailed, "\(path) can't be read, or holds no certificates in PEM.")
            }
        }
    }

    static func failure(_ operation: String) -> HelioError {
        let code = ERR_peek_error()
        let reason = code == 0 ? nil : ERR_reason_error_string(code).map { String(cString: $0) }
        return HelioError(.systemFailed, "TLS can't be set up: \(operation) failed (\(reason ?? "no reason given")).")
    }
}
