/// One whole encoded picture: from an app's own encoder to a `MirrorSource` or a `VideoTrack`, or from a `MirrorSink`
/// to an app's own decoder.
public struct EncodedFrame: Sendable, Hashable {
    /// The access unit's NAL units, each after a start code of 3 or 4 bytes, with parameter sets before each keyframe.
    public var annexB: [UInt8]
    /// The presentation or capture time. Only differences between frames of one stream are meaningful.
    public var presentationTime: Duration
    /// True if the frame can be decoded without any earlier frame.
    public var isKeyframe: Bool

    /// Makes a frame from an encoder's output.
    public init(annexB: [UInt8], presentationTime: Duration, isKeyframe: Bool) {
        self.annexB = annexB
        self.presentationTime = presentationTime
        self.isKeyframe = isKeyframe
    }
}
