/// An output of a ``DTLSTransport``: a datagram to send, or an event.
package enum DTLSOutput: Sendable, Equatable {
    /// A datagram to be sent to the peer as it is.
    case datagram([UInt8])
    /// The handshake is done and the peer's certificate is the expected one. Reported once, before any `data`.
    case connected(DTLSSession)
    /// Data that the peer sent in one record; at most ``DTLSRecord/largestData`` bytes.
    case data([UInt8])
    /// The association has ended in good order, closed by the peer or by `close`. Only datagrams follow.
    case closed
    /// The association was never established, or broke. Only datagrams follow.
    case failed(DTLSFailure)
}
