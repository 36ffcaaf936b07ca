internal import HelioCore

/// Gathers the slices of a picture until it is whole.
struct GatheredFrame {
    private var annexB: [UInt8] = []

    /// Appends a slice, and returns the whole picture after its last slice. The first slice of a picture discards an
    /// incomplete earlier one.
    mutating func add(_ slice: EncodedSlice) -> EncodedFrame? {
        if slice.isFirst { annexB.removeAll(keepingCapacity: true) }
        annexB += slice.annexB
        guard slice.isLast else { return nil }
        defer { annexB = [] }
        return EncodedFrame(
            annexB: annexB, presentationTime: slice.timing.captured - .zero, isKeyframe: slice.isKeyframe)
    }
}
