internal import HelioCore

/// Gathers the slices of a picture until it is whole.
struct GatheredFrame {
    private var annexB: [UInt8] = []

    /// Adds a slice, and gives the picture with its last one. The next picture's first slice discards the rest of a
    /// broken one.
    mutating func add(_ slice: EncodedSlice) -> EncodedFrame? {
        if slice.isFirst { annexB.removeAll(keepingCapacity: true) }
        annexB += slice.annexB
        guard slice.isLast else { return nil }
        defer { annexB = [] }
        return EncodedFrame(
            annexB: annexB, presentationTime: slice.timing.captured - .zero, isKeyframe: slice.isKeyframe)
    }
}
