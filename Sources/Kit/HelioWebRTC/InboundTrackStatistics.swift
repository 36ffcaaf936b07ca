internal import HelioMedia
internal import HelioPeer

/// The statistics of a track that the peer sends (W3C WebRTC statistics, `inbound-rtp`).
public struct InboundTrackStatistics: Sendable, Hashable {
    /// All packets that arrived, retransmitted ones too.
    public let packets: Int
    /// The bytes of all packets, with their RTP headers.
    public let bytes: Int
    /// Packets that did not arrive on their first transmission.
    public let packetsLost: Int
    /// Lost packets that arrived by retransmission.
    public let packetsRecovered: Int
    /// Lost packets that were restored by FlexFEC.
    public let packetsRestored: Int
    /// Packets of FlexFEC received, from which lost packets are restored.
    public let parityPackets: Int
    /// Packets that arrived out of order.
    public let packetsReordered: Int
    /// The interarrival jitter of the packets (RFC 3550 section 6.4.1).
    public let jitter: Duration
    /// Complete pictures received.
    public let frames: Int
    /// The keyframes among the pictures.
    public let keyframes: Int
    /// The number of keyframes requested from the peer.
    public let keyframeRequests: Int

    init(_ counted: InboundStatistics) {
        packets = counted.packets
        bytes = counted.bytes
        packetsLost = counted.packetsLost
        packetsRecovered = counted.packetsRecovered
        packetsRestored = counted.packetsRestored
        parityPackets = counted.parityPackets
        packetsReordered = counted.packetsReordered
        jitter = counted.jitter
        frames = counted.frames
        keyframes = counted.keyframes
        keyframeRequests = counted.pictureLossIndications + counted.fullIntraRequests
    }
}
