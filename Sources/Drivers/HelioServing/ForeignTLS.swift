internal import HelioCore
internal import HelioRTSPClient
internal import HelioTLS

/// TLS to another program's RTSP server (`rtsps://`): an authority that this machine trusts vouches for the
/// certificate, which has to hold the server's name, or it has the fingerprint that the address gives.
struct ForeignTLS {
    private let address: RTSPAddress
    private let context: TLSClientContext

    init(_ address: RTSPAddress) throws(HelioError) {
        self.address = address
        context = try TLSClientContext(from: .tls12, authorities: address.fingerprint == nil ? .system : .none)
    }

    func handler() throws(HelioError) -> TLSHandler {
        guard let expected = address.fingerprint else { return try context.handler(server: address.host) }
        return try context.handler { $0 == expected }
    }

    /// The reason why there is no TLS; `nil` where the error does not come from TLS.
    func refusal(_ error: (any Error)?) -> HelioError? {
        guard let error = error as? TLSError else { return nil }
        guard case .certificateRefused = error else {
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
