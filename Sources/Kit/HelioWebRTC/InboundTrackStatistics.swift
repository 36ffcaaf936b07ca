internal import HelioMedia
internal import HelioPeer

/// The statistics of a track that the peer sends (W3C WebRTC statistics, `inbound-rtp`).
public struct InboundTrackStatistics: Sendable, Hashable {
    let counted: InboundStatistics

    /// All packets that arrived, retransmitted ones too.
    public var packets: Int { counted.packets }
    /// The bytes of all packets, with their RTP headers.
    public var bytes: Int { counted.bytes }
    /// Packets that did not arrive on their first transmission.
    public var packetsLost: Int { counted.packetsLost }
    /// Lost packets that arrived by retransmission.
    public var packetsRecovered: Int { counted.packetsRecovered }
    /// Lost packets that were restored by FlexFEC.
    public var packetsRestored: Int { counted.packetsRestored }
    /// Packets of FlexFEC received, from which lost packets are restored.
    public var parityPackets: Int { counted.parityPackets }
    /// Packets that arrived out of order.
    public var packetsReordered: Int { counted.packetsReordered }
    /// The interarrival jitter of the packets (RFC 3550 section 6.4.1).
    public var jitter: Duration { counted.jitter }
    /// Complete pictures received.
    public var frames: Int { counted.frames }
    /// The keyframes among the pictures.
    public var keyframes: Int { counted.keyframes }
    /// The number of keyframes requested from the peer.
    public var keyframeRequests: Int { counted.pictureLossIndications + counted.fullIntraRequests }
}
