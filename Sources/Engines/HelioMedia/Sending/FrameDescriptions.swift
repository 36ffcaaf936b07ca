internal import HelioCore
internal import HelioRTP

/// The dependency descriptors of one stream's packets.
///
/// A frame gets its number with its first packet that is queued, so that frames held back before the queue take none:
/// the frame that a frame refers to is always the one with the preceding number. A frame that is dropped from the queue
/// leaves a gap, after which only a keyframe or a repair picture may follow.
struct FrameDescriptions: Sendable {
    private var nextNumber: UInt16 = 0
    /// True from a keyframe on, which has the structure that the descriptors of all later packets need.
    private var isOn = false
    /// The descriptor of the present frame's next packet; `nil`: the frame is not described.
    private var next: DependencyDescriptor?

    /// Begins a frame, with its first slice.
    ///
    /// - Parameters:
    ///   - isAgreed: true if the peer accepts descriptors.
    ///   - isRepair: true for a repair picture to a peer that supports them.
    mutating func begin(_ slice: borrowing PacketizedSlice, isAgreed: Bool, isRepair: Bool) {
        isOn = isAgreed && (isOn || slice.isKeyframe)
        guard isOn else {
            next = nil
            return
        }
        next = DependencyDescriptor(
            isFirst: true, isLast: false,
            template: slice.isKeyframe || isRepair ? .independent : .followsPrevious, number: nextNumber,
            structure: slice.isKeyframe ? DependencyDescriptor.Structure(size: slice.pictureSize) : nil)
    }

    /// Returns the descriptor of the frame's next packet; `nil` if the frame is not described.
    mutating func take(isLast: Bool) -> DependencyDescriptor? {
        guard var descriptor = next else { return nil }
        descriptor.isLast = isLast
        if descriptor.isFirst { nextNumber &+= 1 }
        next?.isFirst = false
        next?.structure = nil
        return descriptor
    }
}
