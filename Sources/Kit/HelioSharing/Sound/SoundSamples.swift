/// A block of uncompressed sound, as interleaved floating-point samples.
public struct SoundSamples: Sendable, Hashable {
    /// The sample rate of each channel, 8000 to 192,000 Hz.
    public var sampleRate: Int
    /// The number of channels, 1 or 2.
    public var channels: Int
    /// The samples, interleaved, full scale at ±1.
    public var samples: [Float]
    /// The time of the first sample, on a clock with an arbitrary origin for each stream.
    public var presentationTime: Duration

    /// Makes a block from floating-point samples, full scale at ±1.
    public init(_ samples: [Float], sampleRate: Int = 48000, channels: Int = 2, presentationTime: Duration) {
        self.samples = samples
        self.sampleRate = sampleRate
        self.channels = channels
        self.presentationTime = presentationTime
    }

    /// Makes a block from samples of 16 bits.
    public init(_ samples: [Int16], sampleRate: Int = 48000, channels: Int = 2, presentationTime: Duration) {
        self.init(
            samples.map { Float($0) / 32768 }, sampleRate: sampleRate, channels: channels,
            presentationTime: presentationTime)
    }
}
