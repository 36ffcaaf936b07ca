internal import HelioCore

/// Slices of a picture, until it is whole.
struct GatheredFrame {
    private var annexB: [UInt8] = []

    /// Gives the picture with its last slice. What a broken one has left is forgotten with the next one's first.
    mutating func add(_ slice: EncodedSlice) -> EncodedFrame? {
        if slice.isFirst { annexB.removeAll(keepingCapacity: true) }
        annexB += slice.annexB
        guard slice.isLast else { return nil }
        defer { annexB = [] }
        return EncodedFrame(
            annexB: annexB, presentationTime: slice.timing.captured - .zero, isKeyframe: slice.isKeyframe)
    }
}
