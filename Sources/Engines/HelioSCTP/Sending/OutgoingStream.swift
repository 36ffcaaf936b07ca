/// The messages of one outgoing stream that have no TSNs yet.
struct OutgoingStream: Sendable {
    var queue = Ring<OutgoingMessage>()
    var nextSequence: UInt16 = 0
    /// Bytes in `queue` that have no TSN.
    var buffered = 0
    /// When `buffered` comes down to this or less, its owner is told.
    var lowThreshold = 0
    /// It has its turn among the streams.
    var isScheduled = false
    /// Nothing new is taken until it is reset.
    var isClosing = false
    /// Of its newest piece.
    var lastTSN: TransmissionSequence?
}
