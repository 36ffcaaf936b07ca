package import HelioCore
package import NIOSSL

/// TLS 1.3 and nothing older, in both roles; who the peer is, is checked by fingerprint and proof, not by
/// any authority.
package enum TLSContexts {
    package static func server(_ identity: Identity) throws(HelioError) -> NIOSSLContext {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: [.certificate(identity.certificate)], privateKey: .privateKey(identity.privateKey))
        configuration.minimumTLSVersion = .tlsv13
        return try make(configuration)
    }

    /// The certificate is checked by the callback that the connection is made with.
    package static func client() throws(HelioError) -> NIOSSLContext {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv13
        configuration.certificateVerification = .noHostnameVerification
        return try make(configuration)
    }

    private static func make(_ configuration: TLSConfiguration) throws(HelioError) -> NIOSSLContext {
        do {
            return try NIOSSLContext(configuration: configuration)
        } catch {
            throw HelioError(.systemFailed, "TLS can't be set up: \(error).", cause: error)
        }
    }
}
