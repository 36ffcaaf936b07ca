package import HelioCore

/// A whole access unit, as an extension has relayed it.
package struct RelayedPicture: Sendable, Hashable {
    package var codec: VideoCodec
    /// The NAL units, each behind a start code of 4 bytes; parameter sets before each keyframe.
    package var annexB: [UInt8]
    /// When the screen was captured, on this machine's clock: never in the future.
    package var captured: Instant
    /// True if it can be decoded without any picture before it: found in its NAL units, not taken on trust.
    package var isKeyframe: Bool
    /// The picture's number, counted from 0 over all extensions.
    package var frameIndex: UInt64

    package init(codec: VideoCodec, annexB: [UInt8], captured: Instant, isKeyframe: Bool, frameIndex: UInt64) {
        self.codec = codec
        self.annexB = annexB
        self.captured = captured
        self.isKeyframe = isKeyframe
        self.frameIndex = frameIndex
    }

    /// The picture for `MirrorSource.write`, and for an app of its own.
    package var frame: EncodedFrame {
        EncodedFrame(
            annexB: annexB, presentationTime: .nanoseconds(captured.nanoseconds), isKeyframe: isKeyframe)
    }
}
