internal import HelioCore
internal import HelioPlayout

/// Converts sound of any rate and of one or two channels to another format, block by block without discontinuities.
struct SoundConverter {
    let input: SoundFormat
    private let output: SoundFormat
    private var resampler: SoundResampler

    /// Returns `nil` for an unknown format.
    init?(from input: SoundFormat, to output: SoundFormat) {
        guard input.isKnown, output.isKnown else { return nil }
        self.input = input
        self.output = output
        resampler = SoundResampler(from: input.sampleRate, to: output.sampleRate, channels: output.channels)
    }

    /// Converts the next block of interleaved samples.
    ///
    /// - Returns: the converted samples, and the time by which the first of them precedes the block.
    mutating func convert(_ samples: [Float]) -> (samples: [Float], delay: Duration) {
        let delay = Duration.nanoseconds(Int64(resampler.pending / Double(input.sampleRate) * 1e9))
        return (resampler.convert(remixed(samples)), delay)
    }

    /// Remixes samples to the output's channels: mono is copied to both channels, and stereo is averaged to mono.
    private func remixed(_ samples: [Float]) -> [Float] {
        if input.channels == output.channels { return samples }
        if input.channels == 1 { return samples.flatMap { [$0, $0] } }
        return stride(from: 0, to: samples.count - 1, by: 2).map { (samples[$0] + samples[$0 + 1]) / 2 }
    }
}
