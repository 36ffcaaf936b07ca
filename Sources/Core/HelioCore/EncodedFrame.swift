/// One encoded picture, whole: an app's own encoder gives it to a `MirrorSource` or to a `VideoTrack`, and a
/// `MirrorSink` gives it to an app's own decoder.
public struct EncodedFrame: Sendable, Hashable {
    /// The access unit's NAL units, each behind a start code of 3 or 4 bytes; parameter sets before each keyframe.
    public var annexB: [UInt8]
    /// The time at which it is to be shown, or was taken. Only differences between frames of one stream mean something.
    public var presentationTime: Duration
    /// True if it can be decoded without any frame before it.
    public var isKeyframe: Bool

    /// Takes what an encoder has given.
    public init(annexB: [UInt8], presentationTime: Duration, isKeyframe: Bool) {
        self.annexB = annexB
        self.presentationTime = presentationTime
        self.isKeyframe = isKeyframe
    }
}
