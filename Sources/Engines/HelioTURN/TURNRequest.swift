import HelioCore
import HelioSTUN

/// A pending request.
struct TURNRequest {
    enum Purpose: Hashable {
        case allocate
        case refresh
        /// Ends the allocation.
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

        /// True for a request of a single peer, of which many may be pending.
        var isOfPeer: Bool {
            switch self {
            case .permission, .channel: true
            case .allocate, .refresh, .release: false
            }
        }
    }

    /// The outcome of a request.
    enum Outcome {
        case success(STUNMessage)
        case refused(UInt16, alternate: TransportAddress?)
        case timedOut
        /// There were answers, but no genuine one.
        case forged
    }

    let purpose: Purpose
    let transaction: STUNTransactionID
    let bytes: [UInt8]
    /// The credentials that signed the request; `nil` before the server's challenge.
    let credentials: TURNCredentials?
    /// When the request was first sent: the lifetimes that the server grants begin no earlier.
    let startedAt: Instant
    /// The number of times that the request was repeated after a challenge.
    let challenges: Int
    var backoff: Backoff
    var sawForgery = false
    /// An error in an unauthenticated answer, and when it is believed.
    var doubtful: (error: Outcome, at: Instant)?

    var dueAt: Instant { min(backoff.at, doubtful?.at ?? backoff.at) }
}
