import HelioCore

/// A piece of a message that has a TSN, kept until the cumulative acknowledgement covers it.
struct OutgoingPiece: Sendable {
    enum State: Sendable {
        /// Sent, and counted in flight.
        case inFlight
        /// Considered lost, and to be retransmitted.
        case lost
        /// Acknowledged by a gap block, which the receiver may revoke.
        case acknowledged
        case abandoned
    }

    /// The whole message, shared by its pieces.
    var message: OutgoingMessage
    var range: Range<Int>
    var flags: DataChunk.Flags
    var state = State.inFlight
    /// The number of acknowledgements of chunks sent later that did not cover this piece.
    var misses = 0
    /// The number of times that the piece was sent.
    var sends: UInt32 = 1
    /// The newest TSN when the piece was last sent: only an acknowledgement of a later one can show that this
    /// transmission was lost, too.
    var newestWhenSent: TransmissionSequence

    var size: Int { range.count }
}
