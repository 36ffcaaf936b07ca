/// The recent packets of one stream, by number, for a parity decoder.
///
/// The storage is a ring, bounded in packets and bytes; the oldest packets are evicted first. No memory is allocated
/// until `begin`.
struct RecentPackets<Packet: Sendable>: Sendable {
    private struct Slot: Sendable {
        var number: UInt64 = .max
        var size = 0
        var packet: Packet?
    }

    private let capacity: UInt64
    private let mostBytes: Int
    private var slots: [Slot] = []
    private var heldBytes = 0
    /// A lower bound of the numbers of the packets held.
    private var oldest: UInt64 = 0
    /// The highest number so far.
    private(set) var highest: UInt64 = 0

    /// - Parameters:
    ///   - capacity: the length of the window of sequence numbers kept, which ends with the highest; a power of two.
    ///   - mostBytes: the byte limit of all packets together.
    init(capacity: UInt64, mostBytes: Int) {
        precondition(capacity > 0 && capacity & (capacity - 1) == 0, "no power of two")
        self.capacity = capacity
        self.mostBytes = mostBytes
    }

    /// True once `begin` was called, so that packets are kept.
    var isActive: Bool { !slots.isEmpty }

    /// Begins to keep packets; `newest` is the highest number so far.
    mutating func begin(at newest: UInt64) {
        slots = Array(repeating: Slot(), count: Int(capacity))
        highest = newest
    }

    /// The packet with this number; `nil` if the packet is not held.
    subscript(number: UInt64) -> Packet? { holds(number) ? slots[place(number)].packet : nil }

    func holds(_ number: UInt64) -> Bool { slots[place(number)].number == number }

    /// Returns true if the packet is neither a duplicate nor older than the window.
    func takes(_ number: UInt64) -> Bool { number + capacity > highest && !holds(number) }

    /// Records the number of a packet, which may become the highest.
    ///
    /// - Returns: true if the number is so far ahead that all packets were evicted.
    mutating func advance(to number: UInt64) -> Bool {
        guard number > highest else { return false }
        let isJump = number - highest >= capacity
        if isJump {
            for place in slots.indices where slots[place].number != .max { remove(at: place) }
        }
        highest = number
        return isJump
    }

    /// Stores a packet. To be called only if `takes` returns true for its number.
    ///
    /// - Parameter size: the packet's size in bytes.
    mutating func hold(_ packet: Packet, size: Int, as number: UInt64) {
        oldest = heldBytes == 0 ? number : min(oldest, number)
        remove(at: place(number))
        heldBytes += size
        slots[place(number)] = Slot(number: number, size: size, packet: packet)
        while heldBytes > mostBytes, oldest < highest {
            if holds(oldest) { remove(at: place(oldest)) }
            oldest += 1
        }
    }

    private func place(_ number: UInt64) -> Int { Int(number & (capacity - 1)) }

    private mutating func remove(at place: Int) {
        heldBytes -= slots[place].size
        slots[place] = Slot()
    }
}
