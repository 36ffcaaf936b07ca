package import HelioBroadcast
package import HelioRTMP

/// Why there is no connection by RTMP.
package enum RTMPFailure: Error, Sendable, Hashable {
    /// The host's name is not known.
    case unresolved
    /// Nobody answers.
    case unreachable
    /// The connection was lost.
    case lost
    /// The server has ended the connection in answer to the stream's key, or soon after.
    case hungUp
    /// Somebody is sending by the key, or the server still has our last connection.
    case nameInUse
    /// The server lets nobody in at the moment, or has ended the stream.
    case busy
    /// What the server sends is no chunk stream.
    case malformed(RTMPChunkFault)
    /// What the server sends is not what RTMP has there: a version, a command.
    case violation
    /// The server asks for answers without end, and reads none.
    case flooded
    /// The stream's key is wrong.
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

    /// What a server's error means: the `code` and the `description` of its information object, where it has them. That
    /// text is not shown, as it may have the stream's key in it.
    init(code: String?, description: String?) {
        switch code {
        case "NetConnection.Connect.Rejected": self = .rejected
        case "NetConnection.Connect.InvalidApp": self = .unknownApplication
        // The name is either in use, for which it was made, or a key that nobody knows: the text tells.
        case "NetStream.Publish.BadName":
            self = description?.lowercased().contains("already") ?? false ? .nameInUse : .badKey
        case "NetStream.Publish.Denied", "NetStream.Record.NoAccess": self = .denied
        default: self = .busy
        }
    }

    /// What it means for a broadcast, and is said to a person.
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
