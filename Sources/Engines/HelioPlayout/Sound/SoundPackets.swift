internal import DequeModule
internal import HelioCore

/// The audio packets that wait to be decoded, ordered by time and bounded in duration and number.
struct SoundPackets: Sendable {
    struct Packet: Sendable {
        var codec: SoundCodec
        var payload: [UInt8]
        var sequence: UInt64
        /// The media time, in frames at 48 kHz since the stream's first packet.
        var time: Int64
        var beginsTalk: Bool
        var isRedundant: Bool
        /// The arrival time, in seconds since the first packet arrived.
        var arrival: Double
    }

    private static let most = 512

    private let capacity: Int64
    private var packets = Deque<Packet>()

    /// - Parameter capacity: the maximum time between the first and the last packet, in frames.
    init(capacity: Int64) {
        self.capacity = capacity
    }

    var first: Packet? { packets.first }
    var last: Packet? { packets.last }
    var isEmpty: Bool { packets.isEmpty }

    /// Adds a packet. Returns the number of packets that were evicted, oldest first.
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

    /// Removes the packets that end before a media time. Returns their number.
    ///
    /// - Parameter length: the length of a packet in frames; a packet ends earlier if the next packet begins earlier.
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
