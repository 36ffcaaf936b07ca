internal import DequeModule
import HelioCore
import HelioTransferWire

/// A batch on its way from the other end.
struct IncomingBatch {
    enum Phase {
        /// The disk says how much room there is.
        case measuring
        /// The person is asked.
        case asking
        case underWay
    }

    let offer: FileOffer
    var phase = Phase.measuring
    /// True where the channel was cut, and the batch has not been offered on a new one.
    var isInterrupted = false
    /// The place of the entry that comes next, or now.
    var next = 0
    var failed = 0
    var file: IncomingFile?
    /// The bytes of the entries before `next`, as they said.
    var claimedBytes: UInt64 = 0
    /// What came, and waits for the disk.
    var inbox = Deque<FileMessage>()
    /// On this channel: the bytes that came, that are dealt with, and that may come.
    var received: UInt64 = 0
    var consumed: UInt64 = 0
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

    /// Starts counting anew, on a new channel.
    mutating func giveFirstCredit() {
        (received, consumed) = (0, 0)
        given = UInt64(window)
        isCreditDue = true
        inbox = []
    }

    /// Counts a message that came; false where it is more than may come.
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

    /// Waits to be offered on a new channel.
    mutating func interrupt(now: Instant) {
        isInterrupted = true
        isCreditDue = false
        (received, consumed, given) = (0, 0, 0)
        inbox = []
        lastProgress = now
        meter.reset()
    }
}
