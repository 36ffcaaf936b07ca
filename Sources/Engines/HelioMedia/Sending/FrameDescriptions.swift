internal import HelioBitstream
internal import HelioCore
internal import HelioRTP

/// The dependency descriptors of one stream's packets.
///
/// A frame is numbered when its first packet is queued. Frames that are dropped before the queue use no number, so an
/// ordinary frame always refers to the frame with the preceding number. A frame that is dropped from the queue leaves a
/// gap, after which only a keyframe or a repair picture may follow.
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
    ///   - parameters: the sequence parameter set of a keyframe, if it has a valid one.
    ///   - isRepair: true for a repair picture sent to a peer that itself knows whether it has the frames that the
    ///     picture refers to.
    ///   - base: the number of the frame to which a repair picture refers, for a peer that learns it only from the
    ///     descriptor; `nil` otherwise.
    mutating func begin(
        _ slice: borrowing PacketizedSlice, _ parameters: H264SequenceParameters?, isAgreed: Bool, isRepair: Bool,
        base: UInt16?
    ) {
        isOn = isAgreed && (isOn || slice.isKeyframe)
        guard isOn else {
            next = nil
            return
        }
        next = DependencyDescriptor(
            isFirst: true, isLast: false,
            template: slice.isKeyframe || isRepair ? .independent : .followsPrevious, number: nextNumber,
            structure: slice.isKeyframe ? DependencyDescriptor.Structure(size: parameters?.size) : nil,
            back: base.map { Int(nextNumber &- $0) })
    }

    /// The number of the frame that has begun; `nil` if it is not described.
    var number: UInt16? { next?.number }

    /// Returns the descriptor of the frame's next packet; `nil` if the frame is not described.
    mutating func take(isLast: Bool) -> DependencyDescriptor? {
        guard var descriptor = next else { return nil }
        descriptor.isLast = isLast
        if descriptor.isFirst { nextNumber &+= 1 }
        next?.isFirst = false
        next?.structure = nil
        next?.back = nil
        return descriptor
    }
}
