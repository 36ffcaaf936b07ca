package import HelioCore
package import HelioRTP

/// The data needed to retransmit a packet's payload; the payload itself is shared with all peers.
package struct SentPacket: Sendable {
    /// The buffer that contains the payload; empty if the encrypted packet is kept instead.
    package let bytes: [UInt8]
    package let payload: Range<Int>
    package let timestamp: UInt32
    package let marker: Bool
    package let repair: PacketRepair
    package let sent: Instant
    /// The frame's times, if the packet carried them.
    package let timing: FrameTiming?
    /// The value of `FrameNotes.repairsSince`, if the packet carried it.
    package let repairsSince: UInt32?
    /// The packet's place in its frame, and the frame's dependencies, if the packet carried them.
    package let dependency: DependencyDescriptor?
    /// The number of the peer's requests for the packet.
    var requests: UInt8 = 0
    var resends: UInt8 = 0
    var lastResent: Instant?
    /// True while a retransmission waits in the pacer.
    var isOrdered = false
    /// True if transport-wide feedback has reported a copy as received.
    var hasArrived = false
    /// The transport-wide number of the newest copy sent; `nil` if copies are not numbered.
    var newestCopy: UInt64?

    package init(
        bytes: [UInt8], payload: Range<Int>, timestamp: UInt32, marker: Bool, repair: PacketRepair, sent: Instant,
        timing: FrameTiming? = nil, repairsSince: UInt32? = nil, dependency: DependencyDescriptor? = nil
    ) {
        self.bytes = bytes
        self.payload = payload
        self.timestamp = timestamp
        self.marker = marker
        self.repair = repair
        self.sent = sent
        self.timing = timing
        self.repairsSince = repairsSince
        self.dependency = dependency
    }

    mutating func order(now: Instant) {
        resends += 1
        lastResent = now
        isOrdered = true
    }
}
