internal import DequeModule
internal import HelioCore

/// Packets of sound that wait to be decoded, by their time: as long and as many as there is room for.
struct SoundPackets: Sendable {
    struct Packet: Sendable {
        var codec: SoundCodec
        var payload: [UInt8]
        var sequence: UInt64
        /// In frames of 48 kHz since the stream's first packet.
        var time: Int64
        var beginsTalk: Bool
        var isRedundant: Bool
        /// In seconds since the first packet came.
        var arrival: Double
    }

    private static let most = 512

    private let capacity: Int64
    private var packets = Deque<Packet>()

    /// - Parameter capacity: the most time from the first to the last, in frames.
    init(capacity: Int64) {
        self.capacity = capacity
    }

    var first: Packet? { packets.first }
    var last: Packet? { packets.last }
    var isEmpty: Bool { packets.isEmpty }

    /// Adds a packet, and returns how many of the oldest had to go.
    mutating func insert(_ packet: Packet) -> Int {
        let place = packets.lastIndex { ($0.time, $0.sequence) <= (packet.time, packet.sequence) }
        packets.insert(packet, at: place.map { $0 + 1 } ?? 0)
        var dropped = 0
        while let first = packets.first, let last = packets.last,
            packets.count > Self.most || last.time - first.time > capacity
        {
            packets.removeFirst()
            dropped += 1
        }
        return dropped
    }

    mutating func removeFirst() -> Packet? { packets.popFirst() }

    /// Removes the packets that end before a time, and returns how many.
    ///
    /// - Parameter length: what a packet has, as far as the next one doesn't tell.
    mutating func remove(before time: Int64, length: Int64) -> Int {
        var removed = 0
        while let first = packets.first {
            let end = packets.count > 1 ? min(packets[1].time, first.time + length) : first.time + length
            guard end <= time else { break }
            packets.removeFirst()
            removed += 1
        }
        return removed
    }

    mutating func removeAll() { packets.removeAll() }
}
