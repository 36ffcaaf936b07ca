package import HelioCore
private import NIOCore

/// The TLS settings that several client connections share.
package final class TLSClientContext: Sendable {
    private let context: OpenSSLContext

    /// Reads the authorities' certificates; reading the system's takes some milliseconds.
    ///
    /// Throws `systemFailed` if the certificates can't be read.
    package init(from oldest: TLSVersion = .tls13, authorities: TLSAuthorities = .none) throws(HelioError) {
        context = try OpenSSLContext(from: oldest)
        try context.trust(authorities)
    }

    /// Makes a handler for one connection whose owner checks the server's certificate by its fingerprint.
    ///
    /// - Parameter judge: called on the connection's loop with the SHA-256 fingerprint of the server's certificate;
    ///   returns true to accept the certificate. Must not access the connection.
    package func handler(judge: @escaping ([UInt8]) -> Bool) throws(HelioError) -> TLSHandler {
        let stream = try TLSStream(context, .client)
        stream.judge = judge
        return TLSHandler(stream)
    }

    /// Makes a handler for one connection to a server whose certificate a trusted authority has signed for this name or
    /// numeric address.
    ///
    /// Throws `invalidArgument` if the text is neither a name nor a numeric address.
    package func handler(server: String) throws(HelioError) -> TLSHandler {
        let stream = try TLSStream(context, .client)
        // Certificates contain neither an address's zone, which names this machine's interface, nor the final dot of a
        // fully qualified name.
        let name = String(server.prefix { $0 != "%" })
        let isNumber = (try? SocketAddress(ipAddress: name, port: 0)) != nil
        guard
            isNumber
                ? stream.expect(address: name)
                : stream.expect(name: server.hasSuffix(".") ? String(server.dropLast()) : server)
        else {
            throw HelioError(.invalidArgument, "'\(server)' can't be the name of a server.")
        }
        return TLSHandler(stream)
    }
}
