internal import HelioMedia
internal import HelioPeer

/// The statistics of a track that is sent to the peer (W3C WebRTC statistics, `outbound-rtp` and `remote-inbound-rtp`).
public struct OutboundTrackStatistics: Sendable, Hashable {
    let counted: OutboundStatistics

    /// Packets sent, without retransmissions.
    public var packets: Int { counted.packets }
    /// Bytes of payload sent.
    public var bytes: Int { counted.bytes }
    /// Pictures sent.
    public var frames: Int { counted.frames }
    /// The keyframes among the pictures.
    public var keyframes: Int { counted.keyframes }
    /// Whole pictures that were dropped because the path was too slow.
    public var droppedFrames: Int { counted.droppedFrames }
    /// Packets that were retransmitted because the peer asked for them.
    public var retransmittedPackets: Int { counted.retransmittedPackets }
    /// Packets of FlexFEC that were sent, from which the peer restores lost ones.
    public var parityPackets: Int { counted.parityPackets }
    /// The number of keyframes requested by the peer.
    public var keyframeRequests: Int { counted.pictureLossIndications + counted.fullIntraRequests }
    /// Packets lost since the start, from the peer's last report.
    public var packetsLost: Int { counted.packetsLost }
    /// The fraction of packets lost in the last interval, 0 to 1, from the peer's last report.
    public var fractionLost: Double { counted.fractionLost }
    /// The interarrival jitter, from the peer's last report.
    public var jitter: Duration { counted.jitter }
    /// The round-trip time, from the peer's last report; `nil` before the first.
    public var roundTrip: Duration? { counted.roundTrip }
}
