internal import HelioRTP

/// Data about a frame that its first or last packet carries in the header extension.
struct FrameNotes: Sendable, Hashable {
    /// The frame's times, on its last packet.
    var timing: FrameTimingExtension?
    /// The RTP timestamp of the oldest frame after which a repair picture can be decoded, on the picture's first
    /// packet.
    var repairsSince: UInt32?
}
