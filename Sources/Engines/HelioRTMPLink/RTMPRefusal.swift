/// Why the server will never take the stream as things are: trying again is of no use.
package enum RTMPRefusal: Sendable, Hashable {
    /// The stream's key is wrong, or somebody else is sending by it.
    case badKey
    /// The server lets nobody in who connects like this: it may want a login.
    case rejected
    /// There is no such application: what follows the host in the address.
    case unknownApplication
    /// We have no right to publish there.
    case denied
    /// Time and again the server ends the connection when it hears the key, and says nothing.
    case hangsUp
    /// Time and again the server says no, for a reason that is not known here.
    case unknown
    /// Nobody vouches for the server's certificate.
    case untrusted
    /// The server has another certificate than the one that was pinned.
    case wrongCertificate
    /// The server speaks no TLS, or none that is safe.
    case noTLS

    /// What was wrong, for a person.
    package var message: String {
        switch self {
        case .badKey:
            "The RTMP server refuses the stream key: it is not one that it knows, or somebody is streaming by it already."
        case .rejected: "The RTMP server refuses the connection: the address is wrong, or it wants a login."
        case .unknownApplication:
            "The RTMP server has no such application: check what follows the host in the address."
        case .denied: "The RTMP server gives us no right to publish there."
        case .hangsUp:
            "The RTMP server hangs up again and again as soon as it has heard the stream key: the key is most likely "
                + "wrong."
        case .unknown: "The RTMP server refuses the stream again and again."
        case .untrusted:
            "Nobody whom this machine trusts vouches for the RTMPS server's certificate. If it is your own server's, add "
                + "#sha256=FINGERPRINT to the address: there 'openssl x509 -noout -fingerprint -sha256 -in "
                + "CERTIFICATE' tells it."
        case .wrongCertificate:
            "The RTMPS server shows another certificate than the one of the fingerprint in the address: it was "
                + "renewed, or somebody is in between."
        case .noTLS: "The server speaks no TLS that is safe: is it rtmp:// there?"
        }
    }
}
