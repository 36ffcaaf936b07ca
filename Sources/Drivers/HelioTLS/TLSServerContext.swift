package import HelioCore
package import HelioOpenSSL

/// The TLS settings that all connections of a server share. No client certificates are requested.
package final class TLSServerContext: Sendable {
    private let context: OpenSSLContext

    /// Makes the settings for a server with this identity. Throws `systemFailed` if OpenSSL refuses them.
    package init(_ identity: CertifiedKey, from oldest: TLSVersion = .tls13) throws(HelioError) {
        context = try OpenSSLContext(from: oldest)
        try context.show(identity)
    }

    /// Makes a handler for one connection.
    package func handler() throws(HelioError) -> TLSHandler { TLSHandler(try TLSStream(context, .server)) }
}
