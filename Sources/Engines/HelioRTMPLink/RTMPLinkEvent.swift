/// What is heard of a connection.
package enum RTMPLinkEvent: Sendable {
    /// It is open, TLS included.
    case connected
    case received([UInt8])
    /// The system has taken so many of the bytes that were to be sent.
    case written(Int)
    /// It was opened, and has ended.
    case disconnected
    /// It could not be opened.
    case failed(RTMPFailure)
}
