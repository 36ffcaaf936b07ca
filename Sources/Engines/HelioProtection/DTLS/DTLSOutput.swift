/// An output of a ``DTLSTransport``: a datagram to send, or an event.
package enum DTLSOutput: Sendable, Equatable {
    /// A datagram to send to the peer.
    case datagram([UInt8])
    /// The handshake has completed and the peer's certificate matches. Reported once, before any `data`.
    case connected(DTLSSession)
    /// The application data of one record, at most ``DTLSRecord/largestData`` bytes.
    case data([UInt8])
    /// The association was closed by the peer or by `close`. Only datagrams follow.
    case closed
    /// The handshake or the association has failed. Only datagrams follow.
    case failed(DTLSFailure)
}
