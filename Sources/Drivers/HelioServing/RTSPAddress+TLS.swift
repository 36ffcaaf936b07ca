internal import HelioCore
internal import HelioRTSPClient
internal import HelioTLS

extension RTSPAddress {
    /// Makes the error, with a human-readable message, for a failed TLS handshake with the server of this `rtsps://`
    /// address.
    func error(_ refusal: ServerTrust.Refusal, cause: (any Error)?) -> HelioError {
        let message =
            switch refusal {
            case .noTLS, .endedEarly: "The server at \(authority) speaks no TLS that is safe: is it rtsp:// there?"
            case .untrusted:
                "Nobody whom this machine trusts vouches for the server's certificate, or it is made out to another "
                    + "name than \(host). If it is your own server's, add #sha256=FINGERPRINT to the address: "
                    + "there 'openssl x509 -noout -fingerprint -sha256 -in CERTIFICATE' tells it."
            case .wrongCertificate:
                "The server at \(authority) shows another certificate than the one of the "
                    + "fingerprint in the address: it was renewed, or somebody is in between."
            }
        return HelioError(.refused, message, cause: cause)
    }
}
