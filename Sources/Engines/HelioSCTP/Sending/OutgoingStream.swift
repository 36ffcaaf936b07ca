internal import DequeModule

/// The messages of one outgoing stream that have no TSNs yet.
struct OutgoingStream: Sendable {
    var queue = Deque<OutgoingMessage>()
    var nextSequence: UInt16 = 0
    /// Bytes in `queue` that have no TSN.
    var buffered = 0
    /// The threshold: when `buffered` comes down to this or less, the owner is told.
    var lowThreshold = 0
    /// True if it has its turn among the streams.
    var isScheduled = false
    /// True if nothing new is taken until it is reset.
    var isClosing = false
    /// The TSN of its newest piece.
    var lastTSN: TransmissionSequence?
}
