import HelioCore
import HelioRTP

/// Admits whole frames of a stream, starting at a keyframe or at a repair picture that makes up for all dropped frames:
/// a frame that refers to a dropped one is useless.
package struct FrameGate: Sendable {
    /// The frame being sent; `nil` while frames are dropped.
    private var frame: UInt64?
    /// While frames are dropped, the index of the last frame that the peer may have complete; `nil`: none, so that only
    /// a keyframe helps.
    private var whole: UInt64?

    package init() {}

    /// True while frames are dropped.
    package var awaitsKeyframe: Bool { frame == nil }
    /// True while frames are dropped and no repair picture can end that.
    package var needsKeyframe: Bool { frame == nil && whole == nil }

    /// Drops all frames until the next keyframe.
    package mutating func close() {
        frame = nil
        whole = nil
    }

    /// Drops all frames until the next keyframe, or until a repair picture that can follow the frame `whole` or an
    /// earlier one.
    package mutating func close(after whole: UInt64) {
        self.whole = awaitsKeyframe ? self.whole.map { min($0, whole) } : whole
        frame = nil
    }

    /// Returns whether a slice is to be sent. Frames must be passed in order, and so must the slices of each frame.
    ///
    /// - Parameter repairsSince: for a repair picture, to a peer that supports them, the first frame that it can
    ///   follow.
    package mutating func admits(
        frameIndex: UInt64, isFirst: Bool, isKeyframe: Bool, repairsSince: UInt64? = nil
    ) -> Bool {
        if isFirst, frame != nil || isKeyframe || isFollowed(from: repairsSince) { frame = frameIndex }
        // A frame whose beginning was dropped, or that lost a slice before this point, is useless.
        return frame == frameIndex
    }

    private func isFollowed(from since: UInt64?) -> Bool {
        guard let since, let whole else { return false }
        return since <= whole
    }
}
