internal import HelioCore

/// Generates digital silence in place of missing sound, for streams that must not have gaps: services refuse a
/// broadcast without sound, and players wait for announced sound.
///
/// Silence begins after `patience`, and advances by the machine's clock until a device delivers sound.
struct SilentSound {
    /// The time without sound after which silence begins.
    static let patience = Duration.milliseconds(300)
    /// The longest gap that is filled after the thread was delayed; a longer gap is skipped.
    private static let mostMissed = Duration.seconds(1)
    /// The sample frames of one block of silence: 20 ms at 48 kHz.
    private static let frames = 960

    /// The end of the captured sound, or of the silence in its place.
    private var end: Instant
    /// True while silence is delivered in place of sound.
    private(set) var isFilling = false

    init(now: Instant) { end = now }

    /// The time at which the next block is due.
    var due: Instant { end + (isFilling ? SoundFormat.standard.duration(ofFrames: Self.frames) : Self.patience) }

    /// Registers captured sound, which ends the silence.
    mutating func heard(_ block: SoundBlock) {
        end = max(end, block.captured + block.duration)
        isFilling = false
    }

    /// Returns the next block of silence; `nil` before the block is due.
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
