internal import DequeModule

/// The reorder buffer for the messages of one incoming stream (RFC 9260 section 6.6).
struct IncomingStream: Sendable {
    private var next: UInt16 = 0
    private var waiting: [UInt16: IncomingMessage] = [:]

    /// Inserts a complete ordered message. Returns false if an earlier message had the same sequence number.
    mutating func insert(_ message: IncomingMessage, into ready: inout Deque<IncomingMessage>) -> Bool {
        let ahead = Int16(bitPattern: message.sequence &- next)
        guard ahead >= 0, waiting[message.sequence] == nil else { return false }
        if ahead > 0 {
            waiting[message.sequence] = message
        } else {
            next &+= 1
            ready.append(message)
            deliverWaiting(into: &ready)
        }
        return true
    }

    /// Skips the missing messages up to `sequence`. The cost is bounded by the number of skipped sequence numbers, and
    /// by the number of waiting messages.
    mutating func skip(to sequence: UInt16, into ready: inout Deque<IncomingMessage>) {
        guard Int16(bitPattern: sequence &- next) >= 0 else { return }
        let count = Int(sequence &- next) + 1
        let skipped =
            count <= waiting.count
            ? (0..<count).map { next &+ UInt16(truncatingIfNeeded: $0) }
            : waiting.keys.filter { $0 &- next < count }.sorted { $0 &- next < $1 &- next }
        for key in skipped {
            if let message = waiting.removeValue(forKey: key) { ready.append(message) }
        }
        next = sequence &+ 1
        deliverWaiting(into: &ready)
    }

    /// The messages that wait for earlier ones, in no particular order.
    var waitingMessages: Dictionary<UInt16, IncomingMessage>.Values { waiting.values }

    private mutating func deliverWaiting(into ready: inout Deque<IncomingMessage>) {
        while !waiting.isEmpty, let message = waiting.removeValue(forKey: next) {
            next &+= 1
            ready.append(message)
        }
    }
}
