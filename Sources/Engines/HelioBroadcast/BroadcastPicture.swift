package import HelioCore

/// An encoded picture for a broadcast's destinations: one access unit.
package struct BroadcastPicture: Sendable, Hashable {
    /// The NAL units, each preceded by a start code, with parameter sets before each keyframe.
    package var annexB: [UInt8]
    /// The time at which the screen showed this picture, on this machine's clock.
    package var captured: Instant
    /// True if the picture refers to no earlier picture. Decoding any other picture requires all pictures back to the
    /// last keyframe.
    package var isKeyframe: Bool

    package init(annexB: [UInt8], captured: Instant, isKeyframe: Bool) {
        self.annexB = annexB
        self.captured = captured
        self.isKeyframe = isKeyframe
    }
}
