/// How far a connection by SRT is.
package enum SRTState: Sendable, Hashable {
    /// As a caller: connects.
    case connecting
    /// As a listener: waits for whoever connects.
    case listening
    /// With the latency that both ends have agreed on.
    case connected(latency: Duration)
    /// Not connected; tries again after a while.
    case broken(SRTBreak)
    /// Refused for good: the end.
    case refused(SRTRefusal)
    /// A setting or port can't be used: the end. With libsrt's error.
    case unusable(Int)
    /// Closed by us: the end.
    case closed

    /// True where nothing follows.
    package var isFinal: Bool {
        switch self {
        case .refused, .unusable, .closed: true
        case .connecting, .listening, .connected, .broken: false
        }
    }
}
