package import HelioCore

/// What is known of what comes in a section. Counts go on where another stream takes the place of one.
package struct InboundStatistics: Sendable, Hashable {
    /// Of the present stream; `nil` before the first packet.
    package internal(set) var ssrc: SSRC?
    package internal(set) var packets = 0
    /// Whole packets.
    package internal(set) var bytes = 0
    /// Packets that did not come by themselves.
    package internal(set) var packetsLost = 0
    /// Those of them that came when they were asked for.
    package internal(set) var packetsRecovered = 0
    package internal(set) var packetsReordered = 0
    package internal(set) var jitter: Duration = .zero
    package internal(set) var frames = 0
    package internal(set) var keyframes = 0
    /// Packets that were asked for again.
    package internal(set) var nackedPackets = 0
    package internal(set) var pictureLossIndications = 0
    package internal(set) var fullIntraRequests = 0

    mutating func add(_ other: Self) {
        packets += other.packets
        bytes += other.bytes
        packetsLost += other.packetsLost
        packetsRecovered += other.packetsRecovered
        packetsReordered += other.packetsReordered
    }
}
