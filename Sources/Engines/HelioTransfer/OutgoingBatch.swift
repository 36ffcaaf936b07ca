import HelioCore
import HelioTransferWire

/// A batch on its way to the other end.
struct OutgoingBatch {
    enum Phase {
        /// It waits for a channel, or for the batches before it.
        case waiting
        /// The other end has been asked.
        case offered
        case underWay
    }

    let id: BatchID
    let entries: [FileEntry]
    let totalBytes: UInt64
    var phase = Phase.waiting
    /// True once the other end may have heard of it.
    var isKnown = false
    /// The place of the entry that is sent next, or now.
    var next = 0
    var file: OutgoingFile?
    /// How many entries there is a verdict of, and of how many a bad one.
    var verdicts = 0
    var failed = 0
    /// The bytes of the entries before `next`.
    var passedBytes: UInt64 = 0
    /// The bytes that went, and those that may go, on this channel.
    var used: UInt64 = 0
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

    /// Goes on to the next entry.
    mutating func advance() {
        passedBytes += entries[next].size
        next += 1
        file = nil
    }
}
