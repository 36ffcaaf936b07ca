package import HelioBroadcast

/// Why a request had no answer.
package enum WHIPBreak: Sendable, Hashable {
    /// The host's name is not known.
    case unresolved
    /// Nobody answers.
    case unreachable
    /// The connection broke before the answer was whole.
    case lost
    /// What came is no HTTP, or more than is taken.
    case malformed
    /// Nobody vouches for the server's certificate.
    case untrusted
    /// The server has another certificate than the one that was pinned.
    case wrongCertificate
    /// The server speaks no TLS, or none that is safe.
    case noTLS

    /// What it means for a broadcast, and is said to a person.
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
