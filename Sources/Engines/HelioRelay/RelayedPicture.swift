package import HelioCore

/// A complete access unit from an extension.
package struct RelayedPicture: Sendable, Hashable {
    package var codec: VideoCodec
    /// The NAL units, each after a start code of 4 bytes. A keyframe contains its parameter sets.
    package var annexB: [UInt8]
    /// The capture time of the screen on the system's monotonic clock, which is never in the future.
    package var captured: Instant
    /// True if the picture is a keyframe according to its NAL units; the extension's flag is ignored.
    package var isKeyframe: Bool
    /// The index of the picture, counted from 0 over all extensions.
    package var frameIndex: UInt64

    package init(codec: VideoCodec, annexB: [UInt8], captured: Instant, isKeyframe: Bool, frameIndex: UInt64) {
        self.codec = codec
        self.annexB = annexB
        self.captured = captured
        self.isKeyframe = isKeyframe
        self.frameIndex = frameIndex
    }

    /// The picture as a frame for `MirrorSource.write`, or for the app's own use.
    package var frame: EncodedFrame {
        EncodedFrame(
            annexB: annexB, presentationTime: .nanoseconds(captured.nanoseconds), isKeyframe: isKeyframe)
    }
}
