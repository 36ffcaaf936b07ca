import HelioCore

/// A datagram on its way through a simulated link, with what was drawn for it as it was sent.
struct LinkPacket: Sendable {
    /// The datagram; empty where it is lost, as only its size matters to the queue then.
    var bytes: [UInt8]
    let size: Int
    let flow: Int
    /// When it came to the queue.
    let queued: Instant
    var isLost = false
    /// The delay that comes on top of the link's.
    var jitter = Duration.zero
    var isReordered = false
    var isDuplicated = false

    init(_ bytes: [UInt8], flow: Int, queued: Instant) {
        self.bytes = bytes
        size = bytes.count
        self.flow = flow
        self.queued = queued
    }
}
