internal import HelioMedia
internal import HelioPeer

/// What is known of a track that goes to the peer (W3C WebRTC statistics, `outbound-rtp` and `remote-inbound-rtp`).
public struct OutboundTrackStatistics: Sendable, Hashable {
    /// Each packet once; those that were sent again come on top.
    public let packets: Int
    /// Of payload.
    public let bytes: Int
    /// Pictures.
    public let frames: Int
    /// Of the pictures.
    public let keyframes: Int
    /// Whole pictures that found the path too slow.
    public let droppedFrames: Int
    /// Packets that were sent again because the peer asked for them.
    public let retransmittedPackets: Int
    /// How often the peer asked for a keyframe.
    public let keyframeRequests: Int
    /// By the peer's last report: since its start.
    public let packetsLost: Int
    /// By the peer's last report: of the last interval, 0 to 1.
    public let fractionLost: Double
    /// By the peer's last report.
    public let jitter: Duration
    /// There and back, by the peer's last report; `nil` before the first.
    public let roundTrip: Duration?

    init(_ counted: OutboundStatistics) {
        packets = counted.packets
        bytes = counted.bytes
        frames = counted.frames
        keyframes = counted.keyframes
        droppedFrames = counted.droppedFrames
        retransmittedPackets = counted.retransmittedPackets
        keyframeRequests = counted.pictureLossIndications + counted.fullIntraRequests
        packetsLost = counted.packetsLost
        fractionLost = counted.fractionLost
        jitter = counted.jitter
        roundTrip = counted.roundTrip
    }
}
