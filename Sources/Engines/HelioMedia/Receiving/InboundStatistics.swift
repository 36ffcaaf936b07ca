package import HelioCore

/// Statistics of what is received in a section. Counts go on where another stream takes the place of one.
package struct InboundStatistics: Sendable, Hashable {
    /// The present stream's SSRC; `nil` before the first packet.
    package internal(set) var ssrc: SSRC?
    package internal(set) var packets = 0
    /// Bytes received, counting whole packets.
    package internal(set) var bytes = 0
    /// Packets lost, also where a retransmission made up for them.
    package internal(set) var packetsLost = 0
    /// Those of them that a retransmission recovered.
    package internal(set) var packetsRecovered = 0
    /// Those of them that were restored from parity.
    package internal(set) var packetsRestored = 0
    /// Packets that were sent for that.
    package internal(set) var parityPackets = 0
    /// Copies of packets that had come: a sender probes the path with them.
    package internal(set) var probePackets = 0
    package internal(set) var packetsReordered = 0
    package internal(set) var jitter: Duration = .zero
    package internal(set) var frames = 0
    package internal(set) var keyframes = 0
    /// Packets requested by NACK.
    package internal(set) var nackedPackets = 0
    package internal(set) var pictureLossIndications = 0
    package internal(set) var fullIntraRequests = 0
    /// Repair pictures requested, each as often as it was, and those that the picture went on with.
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
