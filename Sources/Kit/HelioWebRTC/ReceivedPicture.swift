/// A coded picture that the peer sent.
public struct ReceivedPicture: Sendable {
    /// The access unit's NAL units, each behind a start code of 4 bytes.
    public let annexB: [UInt8]
    /// The picture's time since an instant of the peer's choosing, with 90 000 steps a second.
    public let time: Duration
    /// True for a picture that can be decoded without any before it.
    public let isKeyframe: Bool
    /// The number of quarter turns, 0 to 3, by which the picture is to be turned clockwise.
    public let quarterTurns: Int
    /// The track that it came on.
    public let track: ReceivedTrack
}
