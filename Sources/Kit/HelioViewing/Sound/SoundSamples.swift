/// A stretch of sound as samples.
public struct SoundSamples: Sendable, Hashable {
    /// Samples a second of each channel, 8000 to 192,000.
    public var sampleRate: Int
    /// 1 or 2.
    public var channels: Int
    /// The samples, full scale at ±1, the channels' by turns.
    public var samples: [Float]
    /// The time of the first one. Only differences within one stream mean something.
    public var presentationTime: Duration

    /// Takes floats, full scale at ±1.
    public init(_ samples: [Float], sampleRate: Int = 48000, channels: Int = 2, presentationTime: Duration) {
        self.samples = samples
        self.sampleRate = sampleRate
        self.channels = channels
        self.presentationTime = presentationTime
    }

    /// Takes samples of 16 bits.
    public init(_ samples: [Int16], sampleRate: Int = 48000, channels: Int = 2, presentationTime: Duration) {
        self.init(
            samples.map { Float($0) / 32768 }, sampleRate: sampleRate, channels: channels,
            presentationTime: presentationTime)
    }
}
