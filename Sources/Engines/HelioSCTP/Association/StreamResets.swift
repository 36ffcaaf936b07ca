/// The stream resets in both directions (RFC 6525 section 5): one request of ours at a time, and the other end's in
/// their order.
struct StreamResets: Sendable {
    struct Request: Sendable {
        var number: UInt32
        /// The last assigned TSN: all data of the streams is up to it, and has arrived.
        var lastTSN: UInt32
        var streams: [UInt16]
        /// The streams that the other end has used again, which shows that it has performed their reset.
        var confirmed: Set<UInt16> = []
        /// True if the request is to be sent with the next packet.
        var isDue = true
    }

    /// The most streams in one request, which has to fit into a packet.
    static let limit = 128

    /// The number of our next request.
    var nextNumber: UInt32
    /// Streams to be reset once all their data has arrived.
    var waiting: [UInt16] = []
    var outstanding: Request?
    /// The number of the other end's next request.
    var expected: UInt32
    /// Our answer to the other end's previous request.
    var answered: ReconfigurationParameter.Result?
    /// The other end's request for which data is still missing.
    var deferred: (number: UInt32, lastTSN: UInt32, streams: [UInt16])?

    init(localInitialTSN: UInt32, peerInitialTSN: UInt32) {
        nextNumber = localInitialTSN
        expected = peerInitialTSN
    }
}
