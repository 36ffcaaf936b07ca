/// A coded picture that the peer sent.
public struct ReceivedPicture: Sendable {
    /// The access unit's NAL units, each after a start code of 4 bytes.
    public let annexB: [UInt8]
    /// The picture's RTP time, in steps of 1/90 000 s, from an arbitrary origin that the peer chose.
    public let time: Duration
    /// True for a picture that can be decoded without an earlier one.
    public let isKeyframe: Bool
    /// The number of clockwise quarter turns, 0 to 3, to show the picture upright.
    public let quarterTurns: Int
    /// The track that carried the picture: a peer that sends two screens has two tracks.
    public let track: ReceivedTrack
}
