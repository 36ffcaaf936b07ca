internal import DequeModule
import HelioCore
import HelioTransferWire

/// The state of a batch that is offered or being received.
struct IncomingBatch {
    enum Phase {
        /// The disk was queried for its free space.
        case measuring
        /// The user is asked whether to accept the batch.
        case asking
        case underWay
    }

    let offer: FileOffer
    var phase = Phase.measuring
    /// True from a cut of the channel until the batch is offered on a new channel.
    var isInterrupted = false
    /// The index of the current entry, or of the next entry if none is current.
    var next = 0
    var failed = 0
    var file: IncomingFile?
    /// The announced size of the entries before `next`, in bytes.
    var claimedBytes: UInt64 = 0
    /// The received messages that are queued until the disk has answered.
    var inbox = Deque<FileMessage>()
    /// The bytes of messages received on this channel in total.
    var received: UInt64 = 0
    /// The bytes of messages processed on this channel in total.
    var consumed: UInt64 = 0
    /// The bytes of messages allowed by credit on this channel in total.
    var given: UInt64 = 0
    var isCreditDue = false
    var lastProgress: Instant
    var meter = RateMeter()

    private let window: Int

    init(_ offer: FileOffer, window: Int, now: Instant) {
        self.offer = offer
        self.window = window
        lastProgress = now
    }

    var doneBytes: UInt64 { claimedBytes + (file.map { $0.phase == .givenUp ? $0.entry.size : $0.position } ?? 0) }

    /// Resets the byte counts for a new channel, and grants the first credit.
    mutating func giveFirstCredit() {
        (received, consumed) = (0, 0)
        given = UInt64(window)
        isCreditDue = true
        inbox = []
    }

    /// Counts a received message; returns false if it exceeds the credit.
    mutating func takesCredit(_ bytes: Int) -> Bool {
        received += UInt64(bytes)
        return received <= given
    }

    mutating func consume(_ bytes: Int) {
        precondition(consumed + UInt64(bytes) <= received, "only what came on this channel is dealt with")
        consumed += UInt64(bytes)
        guard given - min(given, consumed) <= UInt64(window / 2) else { return }
        given = consumed + UInt64(window)
        isCreditDue = true
    }

    /// Suspends the batch until it is offered on a new channel.
    mutating func interrupt(now: Instant) {
        isInterrupted = true
        isCreditDue = false
        (received, consumed, given) = (0, 0, 0)
        inbox = []
        lastProgress = now
        meter.reset()
    }
}
