internal import DequeModule

/// The messages of one outgoing stream that have no TSNs yet.
struct OutgoingStream: Sendable {
    var queue = Deque<OutgoingMessage>()
    var nextSequence: UInt16 = 0
    /// Bytes in `queue` that have no TSN.
    var buffered = 0
    /// The threshold in bytes: the owner is notified when `buffered` falls to it.
    var lowThreshold = 0
    /// True if the stream has a turn in the queue of streams.
    var isScheduled = false
    /// True if no message is accepted until the stream is reset.
    var isClosing = false
    /// The TSN of the stream's newest piece; `nil` before the first.
    var lastTSN: TransmissionSequence?
}
