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

    /// The format between Heliograph's own ends: 48 kHz stereo (requirement row 57).
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

/// A codec for sound in RTP.
package enum SoundCodec: String, Sendable, Hashable, CaseIterable {
    /// Uncompressed 16-bit samples (L16, RFC 3551 section 4.5.11; requirement row 57).
    case pcm
    /// Opus (RFC 6716), in RTP by RFC 7587.
    case opus
    /// AAC-LC, in RTP by RFC 3640 (requirement row 58).
    case aac
}

/// The origin of sound; each origin has a separate stream (requirement row 159).
public enum SoundOrigin: String, Sendable, Hashable, CaseIterable {
    /// The sound that the machine plays.
    case system
    case microphone
}

/// A block of captured or decoded sound.
package struct SoundBlock: Sendable {
    package var format: SoundFormat
    /// `frames * format.channels` samples: floats, full scale at ±1, interleaved.
    package var samples: [Float]
    /// The capture time of the first sample at the device, on this machine's clock.
    package var captured: Instant

    package init(format: SoundFormat, samples: [Float], captured: Instant) {
        self.format = format
        self.samples = samples
        self.captured = captured
    }

    /// The number of samples of each channel.
    package var frames: Int { samples.count / format.channels }
    package var duration: Duration { format.duration(ofFrames: frames) }
}
