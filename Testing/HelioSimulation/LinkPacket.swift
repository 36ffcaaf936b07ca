import HelioCore

/// A datagram in a simulated link, with the random outcomes that were drawn when it was sent.
struct LinkPacket: Sendable {
    /// The datagram; empty if it is lost, as then only its size matters.
    var bytes: [UInt8]
    let size: Int
    let flow: Int
    /// The time at which the datagram arrives at the queue.
    let queued: Instant
    var isLost = false
    /// The jitter in addition to the link's delay.
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
