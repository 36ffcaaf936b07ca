/// One packet of sound of the peer's, in Opus (RFC 6716), in the order of its coming.
public struct ReceivedSound: Sendable {
    /// What an Opus decoder takes.
    public let packet: [UInt8]
    /// Goes up by one with each packet that the peer sends: one that is missing is lost or late.
    public let number: Int
    /// Of its first sample, since an instant of the peer's choosing, with 48 000 steps a second.
    public let time: Duration
    /// Which section of the descriptions it came by.
    public let track: ReceivedTrack
}
