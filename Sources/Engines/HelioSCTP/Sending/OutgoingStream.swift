internal import DequeModule

/// The queue of one outgoing stream.
struct OutgoingStream: Sendable {
    var queue = Deque<OutgoingMessage>()
    var nextSequence: UInt16 = 0
    /// The number of bytes in `queue` without a TSN.
    var buffered = 0
    /// The threshold in bytes for `bufferedAmountLow`, which is reported when `buffered` falls to it.
    var lowThreshold = 0
    /// True if the stream is in the scheduling queue (`SendQueue.turns`).
    var isScheduled = false
    /// True if no further messages are accepted until the stream has been reset.
    var isClosing = false
    /// The TSN of the stream's newest fragment; `nil` before the first.
    var lastTSN: TransmissionSequence?
}
