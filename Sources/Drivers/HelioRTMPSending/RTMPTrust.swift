import HelioCore
import HelioRTMPLink
import HelioTLS

/// TLS to an RTMPS server: an authority that this machine trusts vouches for the certificate, which has to hold the
/// server's name, or it has the fingerprint that the address gives.
struct RTMPTrust: Sendable {
    private let address: RTMPAddress
    private let context: TLSClientContext

    init(_ address: RTMPAddress) throws(HelioError) {
        self.address = address
        context = try TLSClientContext(from: .tls12, authorities: address.fingerprint == nil ? .system : .none)
    }

    func handler() throws(HelioError) -> TLSHandler {
        guard let expected = address.fingerprint else { return try context.handler(server: address.host) }
        return try context.handler { $0 == expected }
    }

    /// What an error means that came before TLS was there: of some the next try may know nothing.
    func event(_ error: (any Error)?) -> RTMPLinkEvent {
        switch error as? TLSError {
        case .certificateRefused: .failed(address.fingerprint == nil ? .untrusted : .wrongCertificate)
        case .alert, .refused, .flooded, .tooMuchWaiting: .failed(.noTLS)
        case .endedEarly, .truncated, nil: .failed(.lost)
        }
    }
}
