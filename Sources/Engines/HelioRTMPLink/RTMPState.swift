/// How far a stream by RTMP is.
package enum RTMPState: Sendable, Hashable {
    case connecting
    /// The server takes the stream.
    case publishing
    /// Not connected; tries again after a while.
    case broken(RTMPBreak)
    /// Refused for good: the end.
    case refused(RTMPRefusal)
    /// Closed by us: the end.
    case closed

    /// True where nothing follows.
    package var isFinal: Bool {
        switch self {
        case .refused, .closed: true
        case .connecting, .publishing, .broken: false
        }
    }
}
