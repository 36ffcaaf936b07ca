internal import HelioCore

/// Digital silence in place of sound that does not come, for streams that must have no gap: services refuse a broadcast
/// that has no sound, and players wait for sound that they were told of.
///
/// It begins after `patience`, and goes on at the machine's clock until a device is heard.
struct SilentSound {
    /// How long a device may take until its sound counts as missing.
    static let patience = Duration.milliseconds(300)
    /// The most that is made up after the thread was held up.
    private static let mostMissed = Duration.seconds(1)
    /// 20 ms at the standard rate.
    private static let frames = 960

    /// The end of the sound that was heard, or of the silence that stood in for it.
    private var end: Instant
    /// True while silence stands in.
    private(set) var isFilling = false

    init(now: Instant) { end = now }

    /// When the next block is due.
    var due: Instant { end + (isFilling ? SoundFormat.standard.duration(ofFrames: Self.frames) : Self.patience) }

    /// Takes note that a device was heard.
    mutating func heard(_ block: SoundBlock) {
        end = max(end, block.captured + block.duration)
        isFilling = false
    }

    /// The next block; `nil` before it is due.
    mutating func take(now: Instant) -> SoundBlock? {
        guard now >= due else { return nil }
        if !isFilling || now - end > Self.mostMissed {
            isFilling = true
            end = now - SoundFormat.standard.duration(ofFrames: Self.frames)
        }
        let block = SoundBlock(
            format: .standard, samples: Array(repeating: 0, count: Self.frames * SoundFormat.standard.channels),
            captured: end)
        end = end + block.duration
        return block
    }
}
