/// A packet of sound that the peer sent, in Opus (RFC 6716); packets come in the order of their arrival.
public struct ReceivedSound: Sendable {
    /// The packet, for an Opus decoder. Empty where the peer has sent padding alone, by which browsers measure the path:
    /// there is nothing to decode, and nothing is lost.
    public let packet: [UInt8]
    /// The packet's number, which goes up by one with each packet that the peer sends: one that is missing is lost or
    /// late.
    public let number: Int
    /// The time of its first sample since an instant of the peer's choosing, with 48 000 steps a second.
    public let time: Duration
    /// The track that it came on.
    public let track: ReceivedTrack
}
