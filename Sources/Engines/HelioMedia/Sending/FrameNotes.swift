internal import HelioRTP

/// Data about a frame that its packets carry in the header extension.
struct FrameNotes: Sendable, Hashable {
    /// The frame's times, on its last packet.
    var timing: FrameTimingExtension?
    /// The RTP timestamp of the oldest frame after which a repair picture can be decoded, on the picture's first
    /// packet.
    var repairsSince: UInt32?
    /// The packet's place in the frame, and the frames that the frame refers to, on each of its packets.
    var dependency: DependencyDescriptor?
}
