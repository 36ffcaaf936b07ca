package import HelioCore
private import NIOCore

/// The settings that several connections of a TLS client share.
package final class TLSClientContext: Sendable {
    private let context: OpenSSLContext

    /// Reads the authorities' certificates, which for the system's takes some milliseconds.
    ///
    /// Throws `systemFailed` where they can't be read.
    package init(from oldest: TLSVersion = .tls13, authorities: TLSAuthorities = .none) throws(HelioError) {
        context = try OpenSSLContext(from: oldest)
        try context.trust(authorities)
    }

    /// A handler for one connection that leaves it to its owner whether the server is the right one.
    ///
    /// - Parameter judge: called on the connection's loop with the SHA-256 fingerprint of the certificate which the
    ///   server shows; says whether to go on. Must not touch the connection.
    package func handler(judge: @escaping ([UInt8]) -> Bool) throws(HelioError) -> TLSHandler {
        let stream = try TLSStream(context, .client)
        stream.judge = judge
        return TLSHandler(stream)
    }

    /// A handler for one connection to a server for which an authority vouches by this name, or this address in digits.
    ///
    /// Throws `invalidArgument` where that is neither.
    package func handler(server: String) throws(HelioError) -> TLSHandler {
        let stream = try TLSStream(context, .client)
        // A zone tells this machine's interface, a dot at the end that the name is whole: certificates have neither.
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
