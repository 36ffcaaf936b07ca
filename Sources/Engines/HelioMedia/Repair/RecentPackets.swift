/// The packets of one stream that came lately, by number, for a decoder of parity.
///
/// A ring, bounded in packets and bytes; the oldest go first. It takes no memory until it begins.
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
    /// The oldest number that may be held.
    private var oldest: UInt64 = 0
    /// The highest number so far.
    private(set) var highest: UInt64 = 0

    /// - Parameters:
    ///   - capacity: how many numbers it reaches back; a power of two.
    ///   - mostBytes: the most bytes of all packets.
    init(capacity: UInt64, mostBytes: Int) {
        precondition(capacity > 0 && capacity & (capacity - 1) == 0, "no power of two")
        self.capacity = capacity
        self.mostBytes = mostBytes
    }

    /// True once packets are kept.
    var isActive: Bool { !slots.isEmpty }

    /// Begins to keep packets, of which `newest` is the newest so far.
    mutating func begin(at newest: UInt64) {
        slots = Array(repeating: Slot(), count: Int(capacity))
        highest = newest
    }

    /// The packet of a number; `nil` where it is not held.
    subscript(number: UInt64) -> Packet? { holds(number) ? slots[place(number)].packet : nil }

    func holds(_ number: UInt64) -> Bool { slots[place(number)].number == number }

    /// Returns whether a packet is new, and not too old.
    func takes(_ number: UInt64) -> Bool { number + capacity > highest && !holds(number) }

    /// Notes the number of a packet, which may be the highest.
    ///
    /// - Returns: true where it is so far ahead that everything was let go.
    mutating func advance(to number: UInt64) -> Bool {
        guard number > highest else { return false }
        let isJump = number - highest >= capacity
        if isJump {
            for place in slots.indices where slots[place].number != .max { remove(at: place) }
        }
        highest = number
        return isJump
    }

    /// Keeps a packet that it takes.
    ///
    /// - Parameter size: its bytes.
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
