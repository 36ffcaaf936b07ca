import HelioCore
import HelioRTP

/// Lets whole frames of a stream pass, from a keyframe on: what refers to a frame that was left out is of no use.
package struct FrameGate: Sendable {
    /// The frame being sent; `nil` while frames are left out until a keyframe.
    private var frame: UInt64?

    package init() {}

    package var awaitsKeyframe: Bool { frame == nil }

    /// Leaves out everything up to the next keyframe.
    package mutating func close() { frame = nil }

    /// Returns whether a slice is to be sent. Slices of a frame come in order, and frames too.
    package mutating func admits(frameIndex: UInt64, isFirst: Bool, isKeyframe: Bool) -> Bool {
        if isFirst, frame != nil || isKeyframe { frame = frameIndex }
        // A frame whose beginning was left out, or of which a slice got lost on the way here, is of no use.
        return frame == frameIndex
    }
}
