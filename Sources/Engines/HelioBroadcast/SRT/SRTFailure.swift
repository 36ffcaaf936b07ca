/// The reason why an SRT connection has failed or ended.
package enum SRTFailure: Sendable, Hashable {
    /// The host's name can't be resolved.
    case unresolved
    /// The peer does not answer.
    case unreachable
    /// The peer accepts no connection at the moment; the value is libsrt's rejection reason.
    case busy(Int)
    /// The peer has ended the connection, or was silent for too long.
    case lost
    /// The system or libsrt failed; the value is libsrt's error code.
    case failed(Int)
    /// The passphrases differ.
    case badPassphrase
    /// A passphrase is set at only one of the two ends.
    case passphraseMismatch
    /// The stream ID, or the identity in it, is not authorized.
    case unauthorized
    /// The peer has no such stream or resource.
    case notFound
    /// The peer's version is incompatible, or a setting that has to be equal differs.
    case incompatible
    /// The peer refuses the connection for another reason; the value is libsrt's rejection reason.
    case refused(Int)
    /// A setting or port can't be used; the value is libsrt's error code.
    case unusable(Int)

    /// Makes the failure for a rejection reason of libsrt. Below 1000 it is a reason of the handshake
    /// (`SRT_REJECT_REASON`), from 1000 on a predefined reason of the server (`access_control.h`, modelled on HTTP's
    /// status codes), from 2000 on a custom one.
    package init(rejection code: Int) {
        switch code {
        case 10: self = .badPassphrase
        case 11: self = .passphraseMismatch
        case 8, 12, 13, 14, 15, 17, 1001, 1405, 1406, 1415, 1501, 1505: self = .incompatible
        case 1401, 1403: self = .unauthorized
        case 1002, 1003, 1404: self = .notFound
        // The server is at its limit, or has not detected the end of our last connection.
        case 1402, 1409, 1423, 1424, 1500..<1600: self = .busy(code)
        case 2, 1000...: self = .refused(code)
        case 0, 16: self = .unreachable
        default: self = .busy(code)
        }
    }

    /// The failure for the broadcast, with a human-readable message.
    package var failure: BroadcastFailure {
        switch self {
        case .unresolved: BroadcastFailure(.unresolved, "The SRT server's name is not known.")
        case .unreachable: BroadcastFailure(.unreachable, "The SRT server does not answer.")
        case .busy(let code):
            BroadcastFailure(.busy, "The SRT server lets nobody in at the moment (reason \(code)).")
        case .lost: BroadcastFailure(.lost, "The SRT connection is lost.")
        case .failed(let code): BroadcastFailure(.failed, "The SRT connection failed (error \(code)).")
        case .badPassphrase:
            BroadcastFailure(
                .unauthorized, "The SRT server refuses the passphrase: it is not the one that was set there.")
        case .passphraseMismatch:
            BroadcastFailure(
                .unauthorized,
                "Either the SRT server wants a passphrase and none was given, or one was given and it has none.")
        case .unauthorized: BroadcastFailure(.unauthorized, "The SRT server refuses the stream's identifier.")
        case .notFound: BroadcastFailure(.notFound, "The SRT server knows no such stream.")
        case .incompatible: BroadcastFailure(.incompatible, "The SRT server's version or settings do not fit.")
        case .refused(let code):
            BroadcastFailure(.refused, "The SRT server refuses the connection (reason \(code)).")
        case .unusable(let code):
            BroadcastFailure(
                .unusable, "SRT can't use a setting, or somebody has the port already (error \(code)).")
        }
    }
}
