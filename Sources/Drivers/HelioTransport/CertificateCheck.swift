private import NIOCore
package import NIOSSL

extension NIOSSLClientHandler {
    /// A handler that leaves it to its owner whether the host is the right one.
    ///
    /// - Parameter judge: called on the connection's loop with the SHA-256 fingerprint of the certificate which the
    ///   host shows; says whether to go on.
    package convenience init(
        context: NIOSSLContext, judge: @escaping @Sendable ([UInt8]) -> Bool
    ) throws {
        try self.init(
            context: context, serverHostname: nil,
            customVerificationCallback: { certificates, verdict in
                guard let leaf = certificates.first, let seen = try? leaf.sha256Fingerprint(), judge(seen) else {
                    return verdict.succeed(.failed)
                }
                verdict.succeed(.certificateVerified)
            })
    }

    /// A handler that compares the certificate with the server's name; an address in digits is compared with those that
    /// the certificate holds.
    convenience init(context: NIOSSLContext, server: String) throws {
        let isNumber = (try? SocketAddress(ipAddress: server, port: 0)) != nil
        try self.init(context: context, serverHostname: isNumber ? nil : server)
    }

    /// Whether the error says that the server could not show who it is.
    static func hasRefused(_ error: any Error) -> Bool {
        error as? NIOSSLExtraError == .failedToValidateHostname || "\(error)".contains("CERTIFICATE_VERIFY_FAILED")
    }
}
