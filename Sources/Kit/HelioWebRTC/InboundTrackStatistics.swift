internal import HelioMedia
internal import HelioPeer

/// What is known of what the peer sends by one section (W3C WebRTC statistics, `inbound-rtp`).
public struct InboundTrackStatistics: Sendable, Hashable {
    /// All that came, those that were sent again too.
    public let packets: Int
    /// Whole packets.
    public let bytes: Int
    /// Packets that did not come by themselves.
    public let packetsLost: Int
    /// Those of them that came when they were asked for.
    public let packetsRecovered: Int
    /// Packets that came out of order.
    public let packetsReordered: Int
    /// Of the packets' arrival (RFC 3550 section 6.4.1).
    public let jitter: Duration
    /// Whole pictures.
    public let frames: Int
    /// Of the pictures.
    public let keyframes: Int
    /// How often a keyframe was asked for.
    public let keyframeRequests: Int

    init(_ counted: InboundStatistics) {
        packets = counted.packets
        bytes = counted.bytes
        packetsLost = counted.packetsLost
        packetsRecovered = counted.packetsRecovered
        packetsReordered = counted.packetsReordered
        jitter = counted.jitter
        frames = counted.frames
        keyframes = counted.keyframes
        keyframeRequests = counted.pictureLossIndications + counted.fullIntraRequests
    }
}
