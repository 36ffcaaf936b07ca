internal import HelioRTP

/// Data about a frame that its first or last packet carries in the header extension.
struct FrameNotes: Sendable, Hashable {
    /// The frame's times, on its last packet.
    var timing: FrameTimingExtension?
    /// The RTP timestamp of the first frame after which this one repairs losses, on the first packet of a repair
    /// picture.
    var repairsSince: UInt32?
}
