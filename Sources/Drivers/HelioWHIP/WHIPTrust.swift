import HelioCore
import HelioTLS
import HelioWHIPLink

/// TLS to a WHIP server: an authority that this machine trusts vouches for the certificate, which has to hold the
/// server's name, or it has the fingerprint that the address gives.
struct WHIPTrust {
    private let fingerprint: [UInt8]?
    private let context: TLSClientContext

    init(_ address: WHIPAddress) throws(HelioError) {
        fingerprint = address.fingerprint
        context = try TLSClientContext(from: .tls12, authorities: fingerprint == nil ? .system : .none)
    }

    func handler(_ host: String) throws(HelioError) -> TLSHandler {
        guard let expected = fingerprint else { return try context.handler(server: host) }
        return try context.handler { $0 == expected }
    }

    /// What an error means that came before the answer: of some the next try may know nothing.
    func why(_ error: TLSError) -> WHIPBreak {
        switch error {
        case .certificateRefused: fingerprint == nil ? .untrusted : .wrongCertificate
        case .alert, .refused, .flooded, .tooMuchWaiting: .noTLS
        case .endedEarly, .truncated: .lost
        }
    }
}
