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

        /// Of those there may be many.
        var isOfPeer: Bool {
            switch self {
            case .permission, .channel: true
            case .allocate, .refresh, .release: false
            }
        }
    }

    /// How it ended.
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
    /// What it was signed with; `nil` before the server's challenge.
    let credentials: TURNCredentials?
    /// The server did what it asks for not before.
    let startedAt: Instant
    /// How often it was made anew because of an answer.
    let challenges: Int
    var backoff: Backoff
    var sawForgery = false
    /// An error that nobody vouches for, and when it is believed.
    var doubtful: (error: Outcome, at: Instant)?

    var dueAt: Instant { min(backoff.at, doubtful?.at ?? backoff.at) }
}
