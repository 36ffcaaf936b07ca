import HelioCore
import HelioSTUN

/// A pending request to the TURN server.
struct TURNRequest {
    enum Purpose: Hashable {
        case allocate
        case refresh
        /// A Refresh with a lifetime of 0, which ends the allocation.
        case release
        case permission(IPAddress)
        case channel(UInt16, TransportAddress)

        var method: STUNMethod {
            switch self {
            case .allocate: .allocate
            case .refresh, .release: .refresh
            case .permission: .createPermission
            case .channel: .channelBind
            }
        }

        /// True for a request for a peer; `TURNSettings.maximumRequests` limits the number of these.
        var isOfPeer: Bool {
            switch self {
            case .permission, .channel: true
            case .allocate, .refresh, .release: false
            }
        }
    }

    /// The response to a request, or the reason why there is no valid response.
    enum Outcome {
        case success(STUNMessage)
        case refused(UInt16, alternate: TransportAddress?)
        case timedOut
        /// The answers that arrived had no valid MESSAGE-INTEGRITY.
        case forged
    }

    let purpose: Purpose
    let transaction: STUNTransactionID
    let bytes: [UInt8]
    /// The credentials that signed the request; `nil` before the server's challenge.
    let credentials: TURNCredentials?
    /// The time of the first transmission, from which granted lifetimes are counted, as they can't begin earlier.
    let startedAt: Instant
    /// The number of times that the request was repeated after a challenge.
    let challenges: Int
    var backoff: Backoff
    var sawForgery = false
    /// The error of an unauthenticated answer, and the time at which it is accepted; `nil` if there is none.
    var doubtful: (error: Outcome, at: Instant)?

    var dueAt: Instant { min(backoff.at, doubtful?.at ?? backoff.at) }
}
