internal import DequeModule
import HelioCore

/// The control datagrams of the last seconds, which are sent again by another link if theirs falls silent.
struct RecentControl: Sendable {
    struct Entry: Sendable {
        var at: Instant
        /// The time of the last sending.
        var sentAt: Instant
        var frame: [UInt8]
        /// False while no link was up to send it.
        var isSent: Bool
    }

    static let age = Duration.seconds(2)
    private static let countLimit = 256
    private static let byteLimit = 64 * 1024

    private var entries = Deque<Entry>()
    private var bytes = 0

    /// Stores a datagram; returns how many were discarded that had never been sent.
    mutating func add(_ frame: [UInt8], isSent: Bool, now: Instant) -> Int {
        entries.append(Entry(at: now, sentAt: now, frame: frame, isSent: isSent))
        bytes += frame.count
        var unsent = 0
        while let first = entries.first,
            entries.count > Self.countLimit || bytes > Self.byteLimit || now - first.at > Self.age
        {
            entries.removeFirst()
            bytes -= first.frame.count
            if !first.isSent { unsent += 1 }
        }
        return unsent
    }

    /// The datagrams that were last sent since `instant` or never, of the last seconds. They count as sent now.
    mutating func again(since instant: Instant, now: Instant) -> [[UInt8]] {
        var frames: [[UInt8]] = []
        for index in entries.indices where now - entries[index].at <= Self.age {
            guard entries[index].sentAt >= instant || !entries[index].isSent else { continue }
            entries[index].isSent = true
            entries[index].sentAt = now
            frames.append(entries[index].frame)
        }
        return frames
    }
}

/// The hashes of the last received control datagrams, to count doubles. Nothing is dropped for a hash, so that a forged
/// datagram can't suppress another one.
struct SeenControl: Sendable {
    private static let limit = 1024

    private var order = Deque<UInt64>()
    private var hashes: Set<UInt64> = []

    /// Returns true if the same datagram was seen before; otherwise remembers it.
    mutating func isDouble(_ datagram: [UInt8]) -> Bool {
        let hash = hash(datagram.span.bytes)
        guard hashes.insert(hash).inserted else { return true }
        order.append(hash)
        if order.count > Self.limit { hashes.remove(order.removeFirst()) }
        return false
    }

    private func hash(_ bytes: RawSpan) -> UInt64 {
        var state = UInt64(bytes.byteCount) &* 0x9E37_79B9_7F4A_7C15
        func mix(_ word: UInt64) {
            state = (state ^ word) &* 0xBF58_476D_1CE4_E5B9
            state ^= state >> 31
        }
        var offset = 0
        while let word = bytes.uint64(at: offset) {
            mix(word)
            offset += 8
        }
        while let byte = bytes.uint8(at: offset) {
            mix(UInt64(byte))
            offset += 1
        }
        return state
    }
}
