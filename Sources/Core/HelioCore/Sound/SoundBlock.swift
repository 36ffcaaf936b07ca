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
