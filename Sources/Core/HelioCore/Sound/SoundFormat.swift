/// The sample rate and channels of sound. Samples are 32-bit floats, full scale at ±1, interleaved.
package struct SoundFormat: Sendable, Hashable {
    /// Samples per second of each channel.
    package var sampleRate: Int
    /// The number of channels, 1 or 2.
    package var channels: Int

    package init(sampleRate: Int, channels: Int) {
        self.sampleRate = sampleRate
        self.channels = channels
    }

    /// The format between Heliograph's own ends: 48 kHz stereo (row 57).
    package static let standard = SoundFormat(sampleRate: 48000, channels: 2)

    /// True if devices and codecs support the format: 8000 to 192,000 samples per second, with one or two channels.
    package var isKnown: Bool { (8000...192_000).contains(sampleRate) && (1...2).contains(channels) }

    /// The duration of `count` sample frames, each with one sample of each channel; does not overflow for long counts.
    package func duration(ofFrames count: some BinaryInteger) -> Duration {
        let (seconds, rest) = Int64(count).quotientAndRemainder(dividingBy: Int64(sampleRate))
        return .seconds(seconds) + .nanoseconds(rest * 1_000_000_000 / Int64(sampleRate))
    }

    /// The number of whole sample frames in a duration, rounded toward zero; negative for a negative duration.
    package func frames(in duration: Duration) -> Int64 {
        let (seconds, rest) = duration.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        return seconds * Int64(sampleRate) + rest * Int64(sampleRate) / 1_000_000_000
    }
}
