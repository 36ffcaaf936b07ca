/// The two directions of stream resets (RFC 6525 section 5): one request of ours at a time, and the other end's in
/// their order.
struct StreamResets: Sendable {
    struct Request: Sendable {
        var number: UInt32
        /// The last TSN of the streams: all that was sent on them is up to it, and has arrived.
        var lastTSN: UInt32
        var streams: [UInt16]
        /// The streams that have begun anew already, as the other end has shown by using them.
        var confirmed: Set<UInt16> = []
        /// True if it is to be put into the next packet.
        var isDue = true
    }

    /// The most streams in one request: it has to fit a packet.
    static let limit = 128

    /// The number of our next request.
    var nextNumber: UInt32
    /// Streams that are to be reset once all that was sent on them has arrived.
    var waiting: [UInt16] = []
    var outstanding: Request?
    /// The number of the other end's next request.
    var expected: UInt32
    /// Our answer to the one before.
    var answered: ReconfigurationParameter.Result?
    /// The other end's request for which data is still missing.
    var deferred: (number: UInt32, lastTSN: UInt32, streams: [UInt16])?

    init(localInitialTSN: UInt32, peerInitialTSN: UInt32) {
        nextNumber = localInitialTSN
        expected = peerInitialTSN
    }
}
