/// An Opus packet (RFC 6716) that the peer sent; packets are delivered in order of arrival.
public struct ReceivedSound: Sendable {
    /// The packet, for an Opus decoder. It is empty if the peer sent padding alone, as browsers do to probe the path:
    /// there is nothing to decode, and nothing is lost.
    public let packet: [UInt8]
    /// The packet's RTP sequence number, which increases by one with each packet that the peer sends: a missing number
    /// means a lost or late packet.
    public let number: Int
    /// The RTP time of the packet's first sample, in steps of 1/48 000 s, from an arbitrary origin that the peer chose.
    public let time: Duration
    /// The track of the packet.
    public let track: ReceivedTrack
}
