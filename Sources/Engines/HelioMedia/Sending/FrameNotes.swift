internal import HelioRTP

/// What single packets tell of their frame, beside the payload.
struct FrameNotes: Sendable, Hashable {
    /// The frame's times: on its last packet.
    var timing: FrameTimingExtension?
    /// The RTP timestamp of the first frame that this one repairs losses after: on the first packet of a repair
    /// picture.
    var repairsSince: UInt32?
}
