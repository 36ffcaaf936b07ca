import HelioCore
import HelioTransferWire

/// The state of a batch that is queued or being sent.
struct OutgoingBatch {
    enum Phase {
        /// The batch waits for a channel, or for the batches before it.
        case waiting
        /// The batch has been offered, and the answer is awaited.
        case offered
        case underWay
    }

    let id: BatchID
    let entries: [FileEntry]
    let totalBytes: UInt64
    var phase = Phase.waiting
    /// True once the batch was offered, so that the peer has to be notified if the batch ends.
    var isKnown = false
    /// The index of the current entry, or of the next entry if none is current.
    var next = 0
    var file: OutgoingFile?
    /// The number of entries for which the receiver has sent a verdict.
    var verdicts = 0
    /// The number of entries with a negative verdict.
    var failed = 0
    /// The size of the entries before `next`, in bytes.
    var passedBytes: UInt64 = 0
    /// The bytes of messages sent on this channel.
    var used: UInt64 = 0
    /// The bytes of messages that the receiver allows on this channel in total.
    var credit: UInt64 = 0
    var lastProgress: Instant
    var meter = RateMeter()

    init(_ id: BatchID, _ entries: [FileEntry], now: Instant) {
        self.id = id
        self.entries = entries
        totalBytes = entries.reduce(0) { $0 + $1.size }
        lastProgress = now
    }

    var offer: FileOffer {
        FileOffer(id, count: UInt32(entries.count), bytes: totalBytes, name: entries[0].path[0])
    }

    var doneBytes: UInt64 { passedBytes + (file?.sent ?? 0) }

    /// Counts the current entry's bytes as passed, and moves to the next entry.
    mutating func advance() {
        passedBytes += entries[next].size
        next += 1
        file = nil
    }
}
