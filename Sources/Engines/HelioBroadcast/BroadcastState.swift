/// The state of one destination of a broadcast.
package enum BroadcastState: Sendable, Hashable {
    /// The destination is not connected: this end waits for the next attempt after this failure or, with `nil`, for the
    /// peer to connect.
    case waiting(BroadcastFailure?)
    case connecting
    case live
    /// The destination is connected, but nothing can be sent at the moment.
    case stalled
    /// The server refuses the stream, and no further attempt is made; final.
    case refused(BroadcastFailure)
    /// The broadcast was ended by this end; final.
    case ended

    /// True if no other state follows.
    package var isFinal: Bool {
        switch self {
        case .refused, .ended: true
        case .waiting, .connecting, .live, .stalled: false
        }
    }

    /// The state's name in statistics.
    package var name: String {
        switch self {
        case .waiting: "waiting"
        case .connecting: "connecting"
        case .live: "live"
        case .stalled: "stalled"
        case .refused: "refused"
        case .ended: "ended"
        }
    }

    /// The failure that keeps the destination from being live.
    package var failure: BroadcastFailure? {
        switch self {
        case .waiting(let failure): failure
        case .refused(let failure): failure
        case .connecting, .live, .stalled, .ended: nil
        }
    }
}
