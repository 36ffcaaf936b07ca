import HelioCore
import HelioSTUN

/// A request on its way.
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

        /// True for a request of which there may be many.
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
        /// There were answers, but none that was genuine.
        case forged
    }

    let purpose: Purpose
    let transaction: STUNTransactionID
    let bytes: [UInt8]
    /// The credentials that signed it; `nil` before the server's challenge.
    let credentials: TURNCredentials?
    /// When it was started: the server did what it asks for no earlier.
    let startedAt: Instant
    /// The number of times that it was made anew because of an answer.
    let challenges: Int
    var backoff: Backoff
    var sawForgery = false
    /// An error in an answer that is not authenticated, and when it is believed.
    var doubtful: (error: Outcome, at: Instant)?

    var dueAt: Instant { min(backoff.at, doubtful?.at ?? backoff.at) }
}
