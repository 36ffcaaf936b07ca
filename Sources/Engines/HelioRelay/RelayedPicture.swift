package import HelioCore

/// A whole access unit that an extension has relayed.
package struct RelayedPicture: Sendable, Hashable {
    package var codec: VideoCodec
    /// The NAL units, each preceded by a start code of 4 bytes, with parameter sets before each keyframe.
    package var annexB: [UInt8]
    /// When the screen was captured, on this machine's clock: never in the future.
    package var captured: Instant
    /// True if the picture can be decoded without an earlier one, as its NAL units show; the extension's claim is
    /// ignored.
    package var isKeyframe: Bool
    /// The picture's number, from 0, counted over all extensions.
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
