/// The reason why a request got no valid response.
package enum WHIPBreak: Sendable, Hashable {
    /// The host's name can't be resolved.
    case unresolved
    /// The server does not answer.
    case unreachable
    /// The connection was lost before the response was complete.
    case lost
    /// The response is not valid HTTP, or is too long.
    case malformed
    /// No trusted authority has signed the server's certificate.
    case untrusted
    /// The server's certificate is not the pinned one.
    case wrongCertificate
    /// The server does not support TLS, or no secure version of it.
    case noTLS

    /// The failure for the broadcast, with a human-readable message.
    package var failure: BroadcastFailure {
        switch self {
        case .unresolved: BroadcastFailure(.unresolved, "The WHIP server's name is not known.")
        case .unreachable: BroadcastFailure(.unreachable, "The WHIP server does not answer.")
        case .lost: BroadcastFailure(.lost, "The connection to the WHIP server broke.")
        case .malformed:
            BroadcastFailure(.incompatible, "What answers at the WHIP address does not speak HTTP, or says too much.")
        case .untrusted:
            BroadcastFailure(
                .untrusted,
                "Nobody whom this machine trusts vouches for the WHIP server's certificate. If it is your own server's, "
                    + "add #sha256=FINGERPRINT to the address: there 'openssl x509 -noout -fingerprint -sha256 -in "
                    + "CERTIFICATE' tells it.")
        case .wrongCertificate:
            BroadcastFailure(
                .untrusted,
                "The WHIP server shows another certificate than the one of the fingerprint in the address: it was "
                    + "renewed, or somebody is in between.")
        case .noTLS:
            BroadcastFailure(.incompatible, "The server speaks no TLS that is safe: is it whip:// there?")
        }
    }
}
