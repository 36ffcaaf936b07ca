internal import HelioRTP

/// Data about a frame that its first or last packet carries in the header extension.
struct FrameNotes: Sendable, Hashable {
    /// The frame's times, on its last packet.
    var timing: FrameTimingExtension?
    /// On the first packet of a repair picture, the RTP timestamp of the first frame after which the picture can be
    /// decoded.
    var repairsSince: UInt32?
}
