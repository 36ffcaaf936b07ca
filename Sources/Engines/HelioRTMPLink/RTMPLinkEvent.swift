/// What a publisher hears of its connection. Nothing comes of one that it has had closed.
package enum RTMPLinkEvent: Sendable {
    /// It is open, TLS included.
    case connected
    case received([UInt8])
    /// The system has taken so many of the bytes that were to be sent.
    case written(Int)
    /// It was opened, and has ended.
    case disconnected
    /// It could not be opened.
    case failed(RTMPBreak)
    case refused(RTMPRefusal)
}
