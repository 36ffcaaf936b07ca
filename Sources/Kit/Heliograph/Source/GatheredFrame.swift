internal import HelioCore

/// Joins the slices of a picture into a complete access unit.
struct GatheredFrame {
    private var annexB: [UInt8] = []

    /// Appends a slice. Returns the complete picture after its last slice, otherwise `nil`. The first slice of a
    /// picture discards an incomplete earlier picture.
    mutating func add(_ slice: EncodedSlice) -> EncodedFrame? {
        if slice.isFirst { annexB.removeAll(keepingCapacity: true) }
        annexB += slice.annexB
        guard slice.isLast else { return nil }
        defer { annexB = [] }
        return EncodedFrame(
            annexB: annexB, presentationTime: slice.timing.captured - .zero, isKeyframe: slice.isKeyframe)
    }
}
