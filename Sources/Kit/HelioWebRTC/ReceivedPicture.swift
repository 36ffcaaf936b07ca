/// One coded picture of a peer's.
public struct ReceivedPicture: Sendable {
    /// The access unit's NAL units, each behind a start code of 4 bytes.
    public let annexB: [UInt8]
    /// Since an instant of the peer's choosing, with 90 000 steps a second.
    public let time: Duration
    /// It can be decoded without any before it.
    public let isKeyframe: Bool
    /// By how many quarters the picture is to be turned clockwise, 0 to 3.
    public let quarterTurns: Int
    /// Which section of the descriptions it came by.
    public let track: ReceivedTrack
}
