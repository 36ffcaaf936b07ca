internal import HelioCore

/// Assembles the slices of a frame into a whole access unit, the unit in which a recording is written.
struct PictureGatherer {
    enum Outcome {
        /// More slices of the frame are expected.
        case more
        case whole(EncodedSlice)
        /// A slice of this frame, or a whole earlier frame, is missing.
        case broken
    }

    private var gathered: EncodedSlice?
    /// The index of the expected next frame; `nil` accepts any index.
    private var next: UInt64?

    mutating func take(_ slice: EncodedSlice) -> Outcome {
        if slice.isFirst {
            let isInOrder = gathered == nil && (next.map { $0 == slice.frameIndex } ?? true)
            gathered = nil
            if !isInOrder, !slice.isKeyframe {
                next = nil
                return .broken
            }
            if slice.isLast { return finish(slice) }
            gathered = slice
            return .more
        }
        guard gathered?.frameIndex == slice.frameIndex else {
            // The remaining slices of a frame that was refused at its first slice are ignored.
            defer { gathered = nil }
            return gathered == nil ? .more : .broken
        }
        gathered?.annexB += slice.annexB
        guard slice.isLast, let whole = gathered else { return .more }
        gathered = nil
        return finish(whole)
    }

    private mutating func finish(_ whole: EncodedSlice) -> Outcome {
        next = whole.frameIndex + 1
        return .whole(whole)
    }
}
