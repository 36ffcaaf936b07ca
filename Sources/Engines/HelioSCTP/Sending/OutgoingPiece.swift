import HelioCore

/// A sent fragment of a message, stored until it is cumulatively acknowledged.
struct OutgoingPiece: Sendable {
    enum State: Sendable {
        /// Sent, and counted as in flight.
        case inFlight
        /// Considered lost, and queued for retransmission.
        case lost
        /// Acknowledged by a gap block, which the receiver may revoke.
        case acknowledged
        case abandoned
    }

    /// The complete message, whose payload storage all its fragments share.
    var message: OutgoingMessage
    var range: Range<Int>
    var flags: DataChunk.Flags
    var state = State.inFlight
    /// The number of missing reports: SACKs that acknowledge later chunks, but not this one.
    var misses = 0
    /// The number of transmissions.
    var sends: UInt32 = 1
    /// The newest TSN at the time of the last transmission. Only acknowledgements of later TSNs are evidence that this
    /// transmission was lost.
    var newestWhenSent: TransmissionSequence

    var size: Int { range.count }
}
