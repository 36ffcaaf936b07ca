internal import HelioCore

/// Mutes and unmutes captured sound without a click, by fading within one block.
struct SoundMute {
    private var gain: Float = 1

    /// Silences the block or leaves it unchanged; fades it out or in if `isMuted` has changed.
    mutating func apply(_ isMuted: Bool, to block: inout SoundBlock) {
        let target: Float = isMuted ? 0 : 1
        guard gain != 1 || target != 1 else { return }
        let (channels, frames) = (block.format.channels, block.frames)
        for frame in 0..<frames {
            let now = gain + (target - gain) * Float(frame + 1) / Float(frames)
            for index in frame * channels..<(frame + 1) * channels { block.samples[index] *= now }
        }
        if frames > 0 { gain = target }
    }
}
