/// What a ``DTLSTransport`` wants done, or tells.
package enum DTLSOutput: Sendable, Equatable {
    /// To be sent to the peer as it is.
    case datagram([UInt8])
    /// The handshake is done and the peer's certificate is the expected one. Comes once, before any `data`.
    case connected(DTLSSession)
    /// What the peer sent in one record; at most ``DTLSRecord/largestData`` bytes.
    case data([UInt8])
    /// The association has ended as it should: the peer or `close` said so. Nothing follows but datagrams.
    case closed
    /// It never stood, or broke. Nothing follows but datagrams.
    case failed(DTLSFailure)
}
