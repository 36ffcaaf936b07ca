/// A packet of sound in Opus (RFC 6716) that the peer sent; packets are given out in order of arrival.
public struct ReceivedSound: Sendable {
    /// The packet, for an Opus decoder. It is empty if the peer sent padding alone, as browsers do to probe the path:
    /// there is nothing to decode, and nothing is lost.
    public let packet: [UInt8]
    /// The packet's sequence number, which goes up by one with each packet that the peer sends: a missing number is a
    /// packet lost or late.
    public let number: Int
    /// The time of its first sample since an instant of the peer's choosing, in steps of 1/48 000 s.
    public let time: Duration
    /// The track of the packet.
    public let track: ReceivedTrack
}
