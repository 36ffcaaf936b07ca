import HelioCore
import HelioRTP

/// Lets whole frames of a stream pass, from a keyframe on, or from a repair picture that makes good for all that was
/// left out: what refers to a frame that was left out is of no use.
package struct FrameGate: Sendable {
    /// The frame being sent; `nil` while frames are left out.
    private var frame: UInt64?
    /// While frames are left out, the index of the last one that the peer can have whole; `nil`: it can have none.
    private var whole: UInt64?

    package init() {}

    /// True while frames are left out.
    package var awaitsKeyframe: Bool { frame == nil }
    /// True while frames are left out and no repair picture can end that.
    package var needsKeyframe: Bool { frame == nil && whole == nil }

    /// Leaves out everything up to the next keyframe.
    package mutating func close() {
        frame = nil
        whole = nil
    }

    /// Leaves out everything up to the next keyframe, or a repair picture that follows on this frame or one before.
    package mutating func close(after whole: UInt64) {
        self.whole = awaitsKeyframe ? self.whole.map { min($0, whole) } : whole
        frame = nil
    }

    /// Returns whether a slice is to be sent. Slices of a frame come in order, and frames too.
    ///
    /// - Parameter repairsSince: of a repair picture that the peer can be told of, the first frame that it follows on.
    package mutating func admits(
        frameIndex: UInt64, isFirst: Bool, isKeyframe: Bool, repairsSince: UInt64? = nil
    ) -> Bool {
        if isFirst, frame != nil || isKeyframe || isFollowed(from: repairsSince) { frame = frameIndex }
        // A frame whose beginning was left out, or of which a slice got lost on the way here, is of no use.
        return frame == frameIndex
    }

    private func isFollowed(from since: UInt64?) -> Bool {
        guard let since, let whole else { return false }
        return since <= whole
    }
}
