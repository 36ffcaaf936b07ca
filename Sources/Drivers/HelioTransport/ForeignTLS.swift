internal import HelioCore
internal import HelioRTSPClient
internal import NIOSSL

/// TLS to another program's RTSP server (`rtsps://`): the certificate is vouched for by an authority that this machine
/// trusts, and made out to the server's name, or it is the very one whose fingerprint the address has.
struct ForeignTLS {
    private let address: RTSPAddress
    private let context: NIOSSLContext

    init(_ address: RTSPAddress) throws(HelioError) {
        self.address = address
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        // With a fingerprint the handler judges for itself.
        configuration.certificateVerification = address.fingerprint == nil ? .fullVerification : .noHostnameVerification
        do {
            context = try NIOSSLContext(configuration: configuration)
        } catch {
            throw HelioError(.systemFailed, "TLS can't be set up: \(error).", cause: error)
        }
    }

    func handler() throws -> NIOSSLClientHandler {
        if let expected = address.fingerprint {
            return try NIOSSLClientHandler(context: context) { $0 == expected }
        }
        return try NIOSSLClientHandler(context: context, server: address.host)
    }

    /// Why there is no TLS; `nil` where the error is none of TLS's.
    func refusal(_ error: (any Error)?) -> HelioError? {
        guard let error, error is NIOSSLError || error is NIOSSLExtraError || error is BoringSSLError else {
            return nil
        }
        guard NIOSSLClientHandler.hasRefused(error) else {
            return HelioError(
                .refused,
                "The server at \(address.authority) speaks no TLS that is safe: is it rtsp:// there?",
                cause: error)
        }
        return HelioError(
            .refused,
            address.fingerprint == nil
                ? "Nobody whom this machine trusts vouches for the server's certificate, or it is made out to another "
                    + "name than \(address.host). If it is your own server's, add #sha256=FINGERPRINT to the address: "
                    + "there 'openssl x509 -noout -fingerprint -sha256 -in CERTIFICATE' tells it."
                : "The server at \(address.authority) shows another certificate than the one of the "
                    + "fingerprint in the address: it was renewed, or somebody is in between.",
            cause: error)
    }
}
