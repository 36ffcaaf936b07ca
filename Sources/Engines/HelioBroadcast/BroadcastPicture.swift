package import HelioCore

/// A coded picture on its way to a broadcast's destinations: one access unit.
package struct BroadcastPicture: Sendable, Hashable {
    /// NAL units, each behind a start code; parameter sets before each keyframe.
    package var annexB: [UInt8]
    /// When the screen was known to be this picture, on this machine's clock.
    package var captured: Instant
    /// True if it needs no picture before it. Others need those back to the last keyframe.
    package var isKeyframe: Bool

    package init(annexB: [UInt8], captured: Instant, isKeyframe: Bool) {
        self.annexB = annexB
        self.captured = captured
        self.isKeyframe = isKeyframe
    }
}
