internal import HelioCore

/// A ring buffer with the state of each of the last `capacity` sequence numbers.
struct PacketRing: Sendable {
    enum State: Sendable {
        /// The packet has no record: it was neither received nor counted as missing, or a newer packet has its slot.
        case unknown
        /// The packet is missing: a later packet has arrived, and this one has not.
        case missing
        /// The packet was received, and waits for earlier packets.
        case held
        /// The packet was used or dropped.
        case consumed
    }

    struct Slot: Sendable {
        var sequence: UInt64
        var state: State
        var packet: MediaPacket?
        /// The time at which the packet was found missing.
        var since = Instant.zero
        /// The times of the packet's next and first requests, and the number of requests so far.
        var nextRequest = Instant.zero
        var firstRequest = Instant.zero
        var requests = 0

        init(sequence: UInt64, state: State) {
            self.sequence = sequence
            self.state = state
        }
    }

    let capacity: UInt64
    private var slots: [Slot]
    private(set) var heldBytes = 0

    /// - Parameter capacity: the number of packets, rounded up to a power of two, at least 64.
    init(capacity: Int) {
        var size = 64
        while size < capacity { size *= 2 }
        self.capacity = UInt64(size)
        slots = Array(repeating: Slot(sequence: .max, state: .unknown), count: size)
    }

    func state(_ sequence: UInt64) -> State {
        let slot = slots[index(sequence)]
        return slot.sequence == sequence ? slot.state : .unknown
    }

    /// The held packet with this number, which stays in the ring; `nil` if the packet is not held.
    func held(_ sequence: UInt64) -> MediaPacket? {
        let slot = slots[index(sequence)]
        return slot.sequence == sequence ? slot.packet : nil
    }

    /// The slot of a missing packet; `nil` if the packet is not missing.
    func missing(_ sequence: UInt64) -> Slot? {
        let slot = slots[index(sequence)]
        return slot.sequence == sequence && slot.state == .missing ? slot : nil
    }

    mutating func hold(_ packet: consuming MediaPacket) {
        let sequence = packet.sequence.rawValue
        replace(sequence, with: .held)
        heldBytes += packet.bytes.count
        slots[index(sequence)].packet = packet
    }

    mutating func markMissing(_ sequence: UInt64, since: Instant, nextRequest: Instant) {
        replace(sequence, with: .missing)
        slots[index(sequence)].since = since
        slots[index(sequence)].nextRequest = nextRequest
    }

    mutating func noteRequest(_ sequence: UInt64, now: Instant, next: Instant) {
        let index = index(sequence)
        if slots[index].requests == 0 { slots[index].firstRequest = now }
        slots[index].requests += 1
        slots[index].nextRequest = next
    }

    /// Reschedules the request for a missing packet.
    mutating func hurry(_ sequence: UInt64, to next: Instant) { slots[index(sequence)].nextRequest = next }

    /// - Returns: true if a held packet was released.
    @discardableResult
    mutating func markConsumed(_ sequence: UInt64) -> Bool {
        let wasHeld = state(sequence) == .held
        replace(sequence, with: .consumed)
        return wasHeld
    }

    private mutating func replace(_ sequence: UInt64, with state: State) {
        let index = index(sequence)
        heldBytes -= slots[index].packet?.bytes.count ?? 0
        slots[index] = Slot(sequence: sequence, state: state)
    }

    private func index(_ sequence: UInt64) -> Int { Int(sequence & (capacity - 1)) }
}
