/// Why a connection, or the try to have one, is over.
enum RTMPEnd: Error, Hashable {
    case broken(RTMPBreak)
    case refused(RTMPRefusal)

    /// What a server's error means (its `code`): its own text is not shown, as it may have the stream's key in it.
    ///
    /// - Parameter code: `nil` where it tells none.
    init(code: String?) {
        switch code {
        case "NetConnection.Connect.Rejected": self = .refused(.rejected)
        case "NetConnection.Connect.InvalidApp": self = .refused(.unknownApplication)
        case "NetStream.Publish.BadName": self = .refused(.badKey)
        case "NetStream.Publish.Denied", "NetStream.Record.NoAccess": self = .refused(.denied)
        default: self = .broken(.busy)
        }
    }
}
