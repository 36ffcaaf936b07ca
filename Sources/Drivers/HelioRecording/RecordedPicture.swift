package import HelioCore

/// One coded picture for a recording: a whole access unit.
package struct RecordedPicture: Sendable {
    package var codec: VideoCodec
    /// NAL units behind start codes; parameter sets are ahead of keyframes.
    package var annexB: [UInt8]
    /// When the screen showed it, on the clock of all of the recording's pictures and sound.
    package var captured: Instant
    package var isKeyframe: Bool

    package init(codec: VideoCodec, annexB: [UInt8], captured: Instant, isKeyframe: Bool) {
        self.codec = codec
        self.annexB = annexB
        self.captured = captured
        self.isKeyframe = isKeyframe
    }
}
