package import HelioCore

/// One coded picture for a recording: a whole access unit.
package struct RecordedPicture: Sendable {
    package var codec: VideoCodec
    /// NAL units after start codes; a keyframe's parameter sets precede it.
    package var annexB: [UInt8]
    /// The time of capture, on the clock of all of the recording's pictures and sound.
    package var captured: Instant
    package var isKeyframe: Bool

    package init(codec: VideoCodec, annexB: [UInt8], captured: Instant, isKeyframe: Bool) {
        self.codec = codec
        self.annexB = annexB
        self.captured = captured
        self.isKeyframe = isKeyframe
    }
}
