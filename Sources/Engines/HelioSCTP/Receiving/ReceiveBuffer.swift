internal import DequeModule
import HelioCore

/// The receive buffer, which reassembles and reorders messages within bounded memory.
struct ReceiveBuffer: Sendable {
    enum Result {
        case taken
        case duplicate
        case dropped(SCTPDrop)
        /// The message exceeds the maximum size, so the association has to be aborted.
        case messageTooLong
    }

    private(set) var map: ReceivedMap
    /// Complete messages that were not delivered yet.
    private(set) var messages = Deque<IncomingMessage>()
    private(set) var drops = DropCounter<SCTPDrop>()
    private var reassembly: Reassembly
    private(set) var streams: [UInt16: IncomingStream] = [:]
    /// The bytes and overhead of complete messages that wait for earlier messages or for delivery.
    private var wholeCost = 0
    private let capacity: Int
    /// The number of incoming streams.
    private let streamCount: UInt16

    init(initialTSN: UInt32, capacity: Int, maximumMessageSize: Int, streams: UInt16) {
        let initial = TransmissionSequence(initial: initialTSN)
        map = ReceivedMap(initial: initial)
        reassembly = Reassembly(initial: initial, maximumMessageSize: maximumMessageSize)
        self.capacity = capacity
        streamCount = streams
    }

    /// Returns true if the stream number is within the negotiated number of streams.
    func hasStream(_ id: UInt16) -> Bool { id < streamCount }

    /// The advertised receive window in bytes (a_rwnd).
    var window: Int { max(0, capacity - reassembly.heldCost - wholeCost) }

    mutating func insert(_ chunk: DataChunk, of packet: [UInt8]) -> Result {
        let tsn = TransmissionSequence(chunk.tsn, near: map.cumulative)
        if map.contains(tsn) { return .duplicate }
        reassembly.advance(to: map.cumulative)
        guard tsn - map.cumulative < ReceivedMap.reach, reassembly.reaches(tsn) else { return .dropped(.outsideWindow) }
        // A chunk that fills a gap helps to complete messages, so accept it up to twice the capacity (RFC 9260 section
        // 6.2).
        if window == 0, tsn > map.highest || reassembly.heldCost + wholeCost > 2 * capacity {
            return .dropped(.windowFull)
        }
        map.insert(tsn)
        let fragment = Fragment(chunk, payload: Array(packet[chunk.payload]), at: tsn)
        switch reassembly.insert(fragment, at: tsn, received: map) {
        case .held: return .taken
        case .whole(let message):
            handle(message)
            return .taken
        case .orphan:
            drops.count(.orphanFragment)
            return .taken
        case .tooLong: return .messageTooLong
        }
    }

    /// Marks the TSN of a chunk on an invalid stream as received, without storing its data.
    mutating func ignore(_ chunk: DataChunk) {
        let tsn = TransmissionSequence(chunk.tsn, near: map.cumulative)
        guard !map.contains(tsn), tsn - map.cumulative < ReceivedMap.reach else { return }
        map.insert(tsn)
    }

    /// Handles a FORWARD-TSN: skips abandoned messages.
    ///
    /// - Returns: false if the TSN is further ahead than a valid sender can be.
    mutating func skip(_ chunk: ForwardTSNChunk) -> Bool {
        let tsn = TransmissionSequence(chunk.cumulative, near: map.cumulative)
        guard tsn > map.cumulative else { return true }
        guard tsn - map.cumulative < 2 * ReceivedMap.reach else { return false }
        map.advance(to: tsn)
        reassembly.skip(to: tsn)
        for skip in chunk.skips {
            guard hasStream(skip.stream) else {
                drops.count(.unknownStream)
                continue
            }
            streams[skip.stream, default: IncomingStream()].skip(to: skip.sequence, into: &messages)
        }
        return true
    }

    /// Resets streams (RFC 6525 section 5.2.2); all of them if `ids` is empty.
    mutating func reset(_ ids: [UInt16]) {
        for id in ids.isEmpty ? streams.keys.sorted() : ids {
            guard let stream = streams.removeValue(forKey: id) else { continue }
            for message in stream.waitingMessages { wholeCost -= cost(message) }
        }
    }

    mutating func popMessage() -> IncomingMessage? {
        guard let message = messages.popFirst() else { return nil }
        wholeCost -= cost(message)
        return message
    }

    private func cost(_ message: IncomingMessage) -> Int { message.payload.count + Reassembly.overhead }

    private mutating func handle(_ message: IncomingMessage) {
        if message.isUnordered {
            wholeCost += cost(message)
            return messages.append(message)
        }
        guard streams[message.stream, default: IncomingStream()].insert(message, into: &messages) else {
            return drops.count(.repeatedSequence)
        }
        wholeCost += cost(message)
    }
}
