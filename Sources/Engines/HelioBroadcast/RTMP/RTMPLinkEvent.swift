/// An event of an RTMP connection, reported by its driver.
package enum RTMPLinkEvent: Sendable {
    /// The connection is open; for RTMPS, the TLS handshake is complete.
    case connected
    case received([UInt8])
    /// The kernel has accepted this number of further bytes.
    case written(Int)
    /// The connection's round trip, as measured by the kernel.
    case roundTrip(Duration)
    /// The open connection has ended.
    case disconnected
    /// The connection could not be opened.
    case failed(RTMPFailure)
}
