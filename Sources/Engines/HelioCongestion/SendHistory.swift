package import HelioCore

/// The sealed packets of the last moments, kept to be sent again when the sink reports them missing (RFC 4585
/// section 6.2.1).
///
/// Bounded in packets, bytes and age; the oldest go first. A packet is given out again byte for byte: the same
/// sequence number and the same ciphertext, so nothing is sealed twice under one nonce.
package struct SendHistory: Sendable {
    package struct Configuration: Sendable, Hashable {
        /// Rounded up to a power of two.
        package var packets = 4096
        package var bytes = 6 * 1024 * 1024
        /// What is older has been abandoned by every sink.
        package var age: Duration = .seconds(1)
        /// How often one packet is sent again at most.
        package var resends = 10

        package init() {}
    }

    /// Why a report of loss was not answered.
    package enum Drop: String, CaseIterable, Sendable {
        /// Never sent, or evicted by newer packets.
        case unknown
        case tooOld
        /// It was sent again less than `resendSpacing` ago: that copy may still arrive.
        case tooSoon
        case tooOften
    }

    /// The least time between two copies of one packet: the round-trip time, as the session measures it.
    package var resendSpacing: Duration = .milliseconds(10)
    package private(set) var resent = 0
    package private(set) var drops = DropCounter<Drop>()
    package private(set) var heldBytes = 0

    private struct Slot {
        var sequence: ExtendedSequence
        var packet: [UInt8]
        var sent: Instant
        var resends = 0
        var lastResent: Instant?
    }

    private let configuration: Configuration
    private let mask: UInt64
    private var ring: [Slot?]
    private var extender = SequenceExtender()
    /// No packet below this one is held.
    private var oldest: UInt64 = 0

    package init(configuration: Configuration = Configuration()) {
        self.configuration = configuration
        var capacity = 1
        while capacity < configuration.packets { capacity *= 2 }
        mask = UInt64(capacity - 1)
        ring = Array(repeating: nil, count: capacity)
    }

    /// Keeps a packet that was just sent. Sequence numbers rise.
    package mutating func insert(_ packet: [UInt8], sequence: ExtendedSequence, now: Instant) {
        let capacity = UInt64(ring.count)
        if let highest = extender.highest, sequence.rawValue < highest.rawValue &+ capacity {
            while oldest &+ capacity <= sequence.rawValue { evictOldest() }
        } else {
            removeAll()
            oldest = sequence.rawValue
        }
        let index = Int(sequence.rawValue & mask)
        heldBytes += packet.count - (ring[index]?.packet.count ?? 0)
        ring[index] = Slot(sequence: sequence, packet: packet, sent: now)
        extender.accept(sequence)
        while oldest < sequence.rawValue, heldBytes > configuration.bytes || isOldestAged(now) { evictOldest() }
    }

    /// The packet with this number, to be sent again now; `nil` with a counted reason when it is not.
    package mutating func resend(_ wire: UInt16, now: Instant) -> (sequence: ExtendedSequence, packet: [UInt8])? {
        guard extender.highest != nil else { return drop(.unknown) }
        let sequence = extender.extended(wire)
        let index = Int(sequence.rawValue & mask)
        guard let slot = ring[index], slot.sequence == sequence else { return drop(.unknown) }
        if now - slot.sent > configuration.age { return drop(.tooOld) }
        if slot.resends >= configuration.resends { return drop(.tooOften) }
        if let last = slot.lastResent, now - last < resendSpacing { return drop(.tooSoon) }
        ring[index]?.resends += 1
        ring[index]?.lastResent = now
        resent += 1
        return (sequence, slot.packet)
    }

    private mutating func drop(_ reason: Drop) -> (sequence: ExtendedSequence, packet: [UInt8])? {
        drops.count(reason)
        return nil
    }

    private func isOldestAged(_ now: Instant) -> Bool {
        guard let slot = ring[Int(oldest & mask)] else { return true }
        return now - slot.sent > configuration.age
    }

    private mutating func evictOldest() {
        let index = Int(oldest & mask)
        heldBytes -= ring[index]?.packet.count ?? 0
        ring[index] = nil
        oldest += 1
    }

    private mutating func removeAll() {
        for index in ring.indices { ring[index] = nil }
        heldBytes = 0
    }
}
