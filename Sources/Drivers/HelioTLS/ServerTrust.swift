package import HelioCore

/// The certificate check for a third-party TLS server. Either a certificate authority that this machine trusts has
/// signed the certificate, which has to contain the server's name, or the certificate has the pinned fingerprint.
package struct ServerTrust: Sendable {
    /// The reason why TLS with a server failed.
    package enum Refusal: Sendable, Hashable {
        /// No authority that this machine trusts has signed the certificate, or the certificate is for another name.
        case untrusted
        /// The certificate does not have the pinned fingerprint.
        case wrongCertificate
        /// The server does not speak TLS, or only insecure versions.
        case noTLS
        /// The connection ended during the handshake: the server does not speak TLS, or the connection was lost.
        case endedEarly
    }

    private let fingerprint: [UInt8]?
    private let context: TLSClientContext

    /// Throws `systemFailed` if TLS can't be set up, or this machine's authorities can't be read.
    ///
    /// - Parameter fingerprint: the SHA-256 of the only accepted certificate; `nil` accepts every certificate that a
    ///   trusted authority has signed for the server's name.
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

    /// Classifies an error that occurred before the end of the handshake; `nil` if it is not a TLS error.
    package func refusal(_ error: (any Error)?) -> Refusal? {
        switch error as? TLSError {
        case .certificateRefused: fingerprint == nil ? .untrusted : .wrongCertificate
        case .alert, .refused, .flooded, .tooMuchWaiting: .noTLS
        case .endedEarly, .truncated: .endedEarly
        case nil: nil
        }
    }
}
