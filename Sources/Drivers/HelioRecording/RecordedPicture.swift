package import HelioCore

/// One coded picture for a recording: a whole access unit.
package struct RecordedPicture: Sendable {
    package var codec: VideoCodec
    /// The access unit's NAL units, each after a start code. A keyframe includes its parameter sets.
    package var annexB: [UInt8]
    /// The time of capture, on the clock that the recording's pictures and sound share.
    package var captured: Instant
    package var isKeyframe: Bool

    package init(codec: VideoCodec, annexB: [UInt8], captured: Instant, isKeyframe: Bool) {
        self.codec = codec
        self.annexB = annexB
        self.captured = captured
        self.isKeyframe = isKeyframe
    }
}
