internal import HelioCore

/// Puts the slices of a frame together, as they come: whole access units are recorded.
struct PictureGatherer {
    enum Outcome {
        /// More slices of the frame are to come.
        case more
        case whole(EncodedSlice)
        /// A part of a frame is missing, or a whole one that later ones refer to.
        case broken
    }

    private var gathered: EncodedSlice?
    /// The index of the frame that has to come next; `nil`: any.
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
            // The rest of what was broken off at its first slice.
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
