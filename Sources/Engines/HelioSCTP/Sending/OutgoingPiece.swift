import HelioCore

/// A piece that has a TSN, until it is acknowledged for good.
struct OutgoingPiece: Sendable {
    enum State: Sendable {
        /// Sent, and counted in flight.
        case inFlight
        /// Taken for lost: to be retransmitted.
        case lost
        /// Acknowledged by a gap block, which may yet be taken back.
        case acknowledged
        case abandoned
    }

    /// The whole message, shared by its pieces.
    var message: OutgoingMessage
    var range: Range<Int>
    var flags: DataChunk.Flags
    var state = State.inFlight
    /// The number of times that something sent later was acknowledged and this was not.
    var misses = 0
    /// The number of times that it was sent.
    var sends: UInt32 = 1
    /// The newest TSN when it was last sent: only what comes after it can show that this sending was lost, too.
    var newestWhenSent: TransmissionSequence

    var size: Int { range.count }
}
