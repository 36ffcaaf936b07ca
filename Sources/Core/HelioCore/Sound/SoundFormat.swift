/// The sample rate and channels of sound. Samples are 32-bit floats, full scale at ±1, interleaved.
package struct SoundFormat: Sendable, Hashable {
    /// Samples a second of each channel.
    package var sampleRate: Int
    /// 1 or 2.
    package var channels: Int

    package init(sampleRate: Int, channels: Int) {
        self.sampleRate = sampleRate
        self.channels = channels
    }

    /// What is carried between our own ends: 48 kHz stereo (row 57).
    package static let standard = SoundFormat(sampleRate: 48000, channels: 2)

    /// True where devices and codecs have it: 8000 to 192,000 samples a second, of one or two channels.
    package var isKnown: Bool { (8000...192_000).contains(sampleRate) && (1...2).contains(channels) }

    /// The time that so many sample frames, one sample of each channel, last; for counts of any length.
    package func duration(ofFrames count: some BinaryInteger) -> Duration {
        let (seconds, rest) = Int64(count).quotientAndRemainder(dividingBy: Int64(sampleRate))
        return .seconds(seconds) + .nanoseconds(rest * 1_000_000_000 / Int64(sampleRate))
    }

    /// The whole sample frames that fit in a time; as many less than none in one before it.
    package func frames(in duration: Duration) -> Int64 {
        let (seconds, rest) = duration.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        return seconds * Int64(sampleRate) + rest * Int64(sampleRate) / 1_000_000_000
    }
}
