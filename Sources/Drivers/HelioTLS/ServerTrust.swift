package import HelioCore

/// The trust in another program's TLS server: either an authority that this machine trusts has signed the certificate,
/// which must hold the server's name, or the certificate is the pinned one.
package struct ServerTrust: Sendable {
    /// The reason why TLS with a server failed.
    package enum Refusal: Sendable, Hashable {
        /// No authority that this machine trusts has signed the certificate, or it holds another name.
        case untrusted
        /// The certificate is not the pinned one.
        case wrongCertificate
        /// The server speaks no TLS, or none that is safe.
        case noTLS
        /// The connection ended during the handshake: the server speaks no TLS, or the connection broke.
        case endedEarly
    }

    private let fingerprint: [UInt8]?
    private let context: TLSClientContext

    /// Throws `systemFailed` if TLS can't be set up, or this machine's authorities can't be read.
    ///
    /// - Parameter fingerprint: the SHA-256 of the one certificate that the server may show; `nil` accepts any that a
    ///   trusted authority has signed.
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

    /// Classifies an error that came before the end of the handshake; `nil` if it does not come from TLS.
    package func refusal(_ error: (any Error)?) -> Refusal? {
        switch error as? TLSError {
        case .certificateRefused: fingerprint == nil ? .untrusted : .wrongCertificate
        case .alert, .refused, .flooded, .tooMuchWaiting: .noTLS
        case .endedEarly, .truncated: .endedEarly
        case nil: nil
        }
    }
}
