internal import DequeModule
import HelioCore

/// The queue of outgoing messages. Streams are scheduled round-robin by message, as the fragments of a message need
/// consecutive TSNs.
struct SendQueue: Sendable {
    /// A fragment of the next message.
    struct Cut {
        var message: OutgoingMessage
        var range: Range<Int>
        var flags: DataChunk.Flags
    }

    /// The memory overhead of a queued message in bytes.
    static let overhead = 64

    private(set) var streams: [UInt16: OutgoingStream] = [:]
    /// The number of bytes without a TSN, of all streams.
    private(set) var bufferedBytes = 0
    private(set) var messageCount = 0
    private(set) var expired = 0
    /// The streams whose buffered amount has fallen to its threshold since the last `pollLow`.
    private(set) var low: [UInt16] = []
    private var turns = Deque<UInt16>()
    /// True if fragments of the first scheduled stream's message have been sent, and more follow.
    private var isInMessage = false

    var isEmpty: Bool { messageCount == 0 }
    var cost: Int { bufferedBytes + messageCount * Self.overhead }

    func bufferedBytes(of stream: UInt16) -> Int { streams[stream]?.buffered ?? 0 }
    func isClosing(_ stream: UInt16) -> Bool { streams[stream]?.isClosing ?? false }

    mutating func append(_ message: OutgoingMessage) {
        let size = message.payload.count
        let isScheduled = change(message.stream) { stream in
            let wasScheduled = stream.isScheduled
            stream.isScheduled = true
            stream.buffered += size
            stream.queue.append(message)
            return wasScheduled
        }
        if !isScheduled { turns.append(message.stream) }
        bufferedBytes += size
        messageCount += 1
    }

    mutating func setLowThreshold(_ bytes: Int, of stream: UInt16) {
        change(stream) { $0.lowThreshold = bytes }
    }

    mutating func pollLow() -> [UInt16] {
        defer { low.removeAll(keepingCapacity: true) }
        return low
    }

    /// Returns the next fragment, of at most `room` bytes; `nil` if the queue is empty or the next fragment should
    /// begin a new packet.
    ///
    /// - Parameter full: the maximum payload of a DATA chunk in an otherwise empty packet, in bytes.
    mutating func cut(room: Int, full: Int, now: Instant) -> Cut? {
        dropExpired(now)
        guard let id = turns.first, let message = streams[id]?.queue.first else { return nil }
        let left = message.payload.count - message.taken
        var size = left
        if left > room {
            // Don't split a message that fits into one packet, and don't cut off a fragment below 128 bytes.
            guard left > full, room >= 128 || room >= full else { return nil }
            size = room & ~3
        }
        let range = message.taken..<message.taken + size
        let isFirst = range.lowerBound == 0
        let isLast = range.upperBound == message.payload.count
        let piece = change(id) { stream in
            if isFirst, !message.isUnordered {
                let sequence = stream.nextSequence
                stream.nextSequence &+= 1
                stream.queue[0].sequence = sequence
            }
            stream.queue[0].taken = range.upperBound
            return stream.queue[0]
        }
        isInMessage = !isLast
        if isLast { removeFirst(of: id, turnOver: true) }
        unbuffer(size, of: id)
        var flags: DataChunk.Flags = message.isUnordered ? .unordered : []
        if isFirst { flags.insert(.beginning) }
        if isLast { flags.insert(.end) }
        return Cut(message: piece, range: range, flags: flags)
    }

    mutating func noteSent(_ tsn: TransmissionSequence, of stream: UInt16) {
        change(stream) { $0.lastTSN = tsn }
    }

    /// Drops the unsent rest of an abandoned message.
    mutating func dropRest(of stream: UInt16) {
        guard isInMessage, turns.first == stream, let message = streams[stream]?.queue.first else { return }
        isInMessage = false
        removeFirst(of: stream, turnOver: true)
        unbuffer(message.payload.count - message.taken, of: stream)
    }

    /// Closes a stream, so that it accepts no more messages. `discarding` drops all messages of which nothing was sent.
    mutating func close(_ stream: UInt16, discarding: Bool) {
        change(stream) { $0.isClosing = true }
        guard discarding else { return }
        var kept = Deque<OutgoingMessage>()
        var dropped = 0
        while let message = change(stream, { $0.queue.popFirst() }) {
            if message.taken > 0 {
                kept.append(message)
            } else {
                dropped += message.payload.count
                messageCount -= 1
            }
        }
        change(stream) { $0.queue = kept }
        unbuffer(dropped, of: stream)
        // The stream may stay in `turns`, as `cut` skips streams without messages.
    }

    /// Returns true if all queued data of the stream has a TSN.
    func isDrained(_ stream: UInt16) -> Bool { streams[stream]?.queue.isEmpty ?? true }

    /// Resets a stream, whose sequence numbers restart at 0.
    mutating func reset(_ stream: UInt16) {
        guard let old = streams[stream] else { return }
        // A closed stream has no queued messages, so none are lost here.
        if old.queue.isEmpty, !old.isScheduled {
            streams[stream] = nil
        } else {
            change(stream) {
                $0.nextSequence = 0
                $0.isClosing = false
                $0.lastTSN = nil
            }
        }
    }

    private mutating func dropExpired(_ now: Instant) {
        while let id = turns.first {
            guard let message = streams[id]?.queue.first else {
                _ = turns.popFirst()
                change(id) { $0.isScheduled = false }
                continue
            }
            guard message.taken == 0, let expires = message.expires, now > expires else { return }
            expired += 1
            removeFirst(of: id, turnOver: false)
            unbuffer(message.payload.count, of: id)
        }
    }

    private mutating func removeFirst(of id: UInt16, turnOver: Bool) {
        let isEmpty = change(id) { stream in
            _ = stream.queue.popFirst()
            if stream.queue.isEmpty { stream.isScheduled = false }
            return stream.queue.isEmpty
        }
        messageCount -= 1
        guard turnOver || isEmpty else { return }
        _ = turns.popFirst()
        if !isEmpty { turns.append(id) }
    }

    private mutating func unbuffer(_ size: Int, of id: UInt16) {
        bufferedBytes -= size
        let isLow = change(id) { stream in
            let wasAbove = stream.buffered > stream.lowThreshold
            stream.buffered -= size
            return wasAbove && stream.buffered <= stream.lowThreshold
        }
        if isLow { low.append(id) }
    }

    @discardableResult
    private mutating func change<Result>(_ id: UInt16, _ body: (inout OutgoingStream) -> Result) -> Result {
        body(&streams[id, default: OutgoingStream()])
    }
}
