/// An event of the connection, reported by the driver.
package enum RTMPLinkEvent: Sendable {
    /// The connection is open, including TLS.
    case connected
    case received([UInt8])
    /// The number of sent bytes that the system has taken.
    case written(Int)
    /// The connection's round trip, as the system has measured it.
    case roundTrip(Duration)
    /// The connection was open, and has ended.
    case disconnected
    /// The connection could not be opened.
    case failed(RTMPFailure)
}
