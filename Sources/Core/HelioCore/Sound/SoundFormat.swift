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

    /// The time that so many sample frames, one sample of each channel, last.
    package func duration(ofFrames count: Int) -> Duration {
        .nanoseconds(Int64(count) * 1_000_000_000 / Int64(sampleRate))
    }
}
