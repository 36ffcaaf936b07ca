package import HelioCore

/// Statistics of the packets that a media section receives. Counts continue when one stream replaces another.
package struct InboundStatistics: Sendable, Hashable {
    /// The present stream's SSRC; `nil` before the first packet.
    package internal(set) var ssrc: SSRC?
    package internal(set) var packets = 0
    /// Bytes received, including the packets' headers.
    package internal(set) var bytes = 0
    /// Packets lost, including those that a retransmission recovered.
    package internal(set) var packetsLost = 0
    /// Lost packets that a retransmission recovered.
    package internal(set) var packetsRecovered = 0
    /// Lost packets that were restored from parity.
    package internal(set) var packetsRestored = 0
    /// Parity packets received.
    package internal(set) var parityPackets = 0
    /// Copies of packets already received, with which the sender probes the path.
    package internal(set) var probePackets = 0
    package internal(set) var packetsReordered = 0
    package internal(set) var jitter: Duration = .zero
    package internal(set) var frames = 0
    package internal(set) var keyframes = 0
    /// Packets requested by NACK.
    package internal(set) var nackedPackets = 0
    package internal(set) var pictureLossIndications = 0
    package internal(set) var fullIntraRequests = 0
    /// Repair pictures requested, counting repeated requests, and repair pictures that the stream resumed with.
    package internal(set) var repairRequests = 0
    package internal(set) var repairs = 0

    mutating func add(_ other: Self) {
        packets += other.packets
        bytes += other.bytes
        packetsLost += other.packetsLost
        packetsRecovered += other.packetsRecovered
        packetsRestored += other.packetsRestored
        packetsReordered += other.packetsReordered
        repairs += other.repairs
    }
}
