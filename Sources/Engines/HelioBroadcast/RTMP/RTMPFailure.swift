package import HelioRTMP

/// The reason why an RTMP connection has failed or ended.
package enum RTMPFailure: Error, Sendable, Hashable {
    /// The host's name can't be resolved.
    case unresolved
    /// The server does not answer.
    case unreachable
    /// The connection was lost.
    case lost
    /// The server has closed the connection in response to the stream key, or soon after.
    case hungUp
    /// Another sender is streaming with the key, or the server has not detected the end of our last connection.
    case nameInUse
    /// The server accepts no streams at the moment, or has ended the stream.
    case busy
    /// The server's bytes are not a valid chunk stream.
    case malformed(RTMPChunkFault)
    /// The server violates RTMP by an unknown version or an invalid command.
    case violation
    /// The server keeps sending requests, but does not read the answers.
    case flooded
    /// The server does not accept the stream key.
    case badKey
    /// The server rejects the connection, possibly because it requires a login.
    case rejected
    /// The application in the address does not exist at the server.
    case unknownApplication
    /// The server does not allow us to publish.
    case denied
    /// The server has repeatedly closed the connection after the key was sent, without an error message.
    case hangsUp
    /// The server has repeatedly refused the stream for an unknown reason.
    case unknown
    /// No trusted authority has signed the server's certificate.
    case untrusted
    /// The server's certificate is not the pinned one.
    case wrongCertificate
    /// The server does not support TLS, or no secure version of it.
    case noTLS

    /// Makes the failure for a server's error from the `code` and the `description` of its information object, which
    /// may be missing. The description is never shown to users, as it may contain the stream key.
    init(code: String?, description: String?) {
        switch code {
        case "NetConnection.Connect.Rejected": self = .rejected
        case "NetConnection.Connect.InvalidApp": self = .unknownApplication
        // The code means either that the name is in use or that the key is unknown; only the description distinguishes
        // them.
        case "NetStream.Publish.BadName":
            self = description?.lowercased().contains("already") ?? false ? .nameInUse : .badKey
        case "NetStream.Publish.Denied", "NetStream.Record.NoAccess": self = .denied
        default: self = .busy
        }
    }

    /// The failure for the broadcast, with a human-readable message.
    package var failure: BroadcastFailure { BroadcastFailure(kind, message) }

    private var kind: BroadcastFailure.Kind {
        switch self {
        case .unresolved: .unresolved
        case .unreachable: .unreachable
        case .lost, .hungUp: .lost
        case .nameInUse, .busy: .busy
        case .malformed, .violation, .flooded: .failed
        case .badKey, .denied, .hangsUp: .unauthorized
        case .rejected, .unknown: .refused
        case .unknownApplication: .notFound
        case .untrusted, .wrongCertificate: .untrusted
        case .noTLS: .incompatible
        }
    }

    private var message: String {
        switch self {
        case .unresolved: "The RTMP server's name is not known."
        case .unreachable: "The RTMP server does not answer."
        case .lost: "The RTMP connection is lost."
        case .hungUp: "The RTMP server has hung up."
        case .nameInUse:
            "Somebody is streaming by this key already, or the RTMP server has not noticed yet that the last connection "
                + "is gone."
        case .busy: "The RTMP server lets nobody in at the moment."
        case .malformed, .violation, .flooded: "What the RTMP server sends makes no sense."
        case .badKey: "The RTMP server refuses the stream key: it is not one that it knows."
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
