internal import HelioMedia
internal import HelioPeer

/// The statistics of a track that is sent to the peer (W3C WebRTC statistics, `outbound-rtp` and `remote-inbound-rtp`).
public struct OutboundTrackStatistics: Sendable, Hashable {
    /// Packets sent, without retransmissions.
    public let packets: Int
    /// Bytes of payload sent.
    public let bytes: Int
    /// Pictures sent.
    public let frames: Int
    /// The keyframes among the pictures.
    public let keyframes: Int
    /// Whole pictures that were dropped because the path was too slow.
    public let droppedFrames: Int
    /// Packets that were retransmitted because the peer asked for them.
    public let retransmittedPackets: Int
    /// Packets of FlexFEC that were sent, from which the peer restores lost ones.
    public let parityPackets: Int
    /// The number of keyframes requested by the peer.
    public let keyframeRequests: Int
    /// Packets lost since the start, from the peer's last report.
    public let packetsLost: Int
    /// The fraction of packets lost in the last interval, 0 to 1, from the peer's last report.
    public let fractionLost: Double
    /// The interarrival jitter, from the peer's last report.
    public let jitter: Duration
    /// The round-trip time, from the peer's last report; `nil` before the first.
    public let roundTrip: Duration?

    init(_ counted: OutboundStatistics) {
        packets = counted.packets
        bytes = counted.bytes
        frames = counted.frames
        keyframes = counted.keyframes
        droppedFrames = counted.droppedFrames
        retransmittedPackets = counted.retransmittedPackets
        parityPackets = counted.parityPackets
        keyframeRequests = counted.pictureLossIndications + counted.fullIntraRequests
        packetsLost = counted.packetsLost
        fractionLost = counted.fractionLost
        jitter = counted.jitter
        roundTrip = counted.roundTrip
    }
}
