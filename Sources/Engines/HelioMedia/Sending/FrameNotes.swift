internal import HelioRTP

/// The data about their frame that single packets carry, beside the payload.
struct FrameNotes: Sendable, Hashable {
    /// The frame's times, on its last packet.
    var timing: FrameTimingExtension?
    /// The RTP timestamp of the first frame after which this one repairs losses, on the first packet of a repair
    /// picture.
    var repairsSince: UInt32?
}
