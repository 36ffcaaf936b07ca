/// The state of stream resets in both directions (RFC 6525 section 5). This end has at most one request outstanding;
/// the peer's requests are handled in order.
struct StreamResets: Sendable {
    struct Request: Sendable {
        var number: UInt32
        /// The value of the field "sender's last assigned TSN". All data of the streams up to this TSN has been
        /// acknowledged.
        var lastTSN: UInt32
        var streams: [UInt16]
        /// The streams whose reset the peer has evidently performed, as it has opened new channels on them.
        var confirmed: Set<UInt16> = []
        /// True if the request is to be sent with the next packet.
        var isDue = true
    }

    /// The maximum number of streams in one request, so that it fits into a packet.
    static let limit = 128

    /// The sequence number of this end's next request.
    var nextNumber: UInt32
    /// The streams to reset once all their data has been acknowledged.
    var waiting: [UInt16] = []
    var outstanding: Request?
    /// The expected sequence number of the peer's next request.
    var expected: UInt32
    /// The answer to the peer's previous request.
    var answered: ReconfigurationParameter.Result?
    /// The peer's request that is deferred until all data before it has been delivered.
    var deferred: (number: UInt32, lastTSN: UInt32, streams: [UInt16])?

    init(localInitialTSN: UInt32, peerInitialTSN: UInt32) {
        nextNumber = localInitialTSN
        expected = peerInitialTSN
    }
}
