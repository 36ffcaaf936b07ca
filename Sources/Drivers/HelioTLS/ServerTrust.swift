package import HelioCore

/// The trust in another program's TLS server: an authority that this machine trusts vouches for the certificate, which
/// has to hold the server's name, or the certificate is the one that was pinned.
package struct ServerTrust: Sendable {
    /// Why there is no TLS with a server.
    package enum Refusal: Sendable, Hashable {
        /// Nobody whom this machine trusts vouches for the certificate, or it is made out to another name.
        case untrusted
        /// The certificate is another one than the one that was pinned.
        case wrongCertificate
        /// The server speaks no TLS, or none that is safe.
        case noTLS
        /// The connection ended before TLS was there: the server speaks none, or it was an accident.
        case endedEarly
    }

    private let fingerprint: [UInt8]?
    private let context: TLSClientContext

    /// Throws `systemFailed` where there is no TLS.
    ///
    /// - Parameter fingerprint: the SHA-256 of the one certificate that the server may show; `nil`: any that an authority
    ///   vouches for.
    package init(fingerprint: [UInt8]?) throws(HelioError) {
        self.fingerprint = fingerprint
        context = try TLSClientContext(from: .tls12, authorities: fingerprint == nil ? .system : .none)
    }

    /// Makes a handler for one connection.
    ///
    /// - Parameter host: the server's name or numeric address.
    package func handler(to host: String) throws(HelioError) -> TLSHandler {
        guard let fingerprint else { return try context.handler(server: host) }
        return try context.handler { $0 == fingerprint }
    }

    /// What an error means that came before TLS was there; `nil` where it does not come from TLS.
    package func refusal(_ error: (any Error)?) -> Refusal? {
        switch error as? TLSError {
        case .certificateRefused: fingerprint == nil ? .untrusted : .wrongCertificate
        case .alert, .refused, .flooded, .tooMuchWaiting: .noTLS
        case .endedEarly, .truncated: .endedEarly
        case nil: nil
        }
    }
}
