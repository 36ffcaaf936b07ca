/// Goes on with sound that broke off, by repeating its last pitch period.
struct PitchRepeater: Sendable {
    /// The frames that are compared to find the period: 10 ms.
    private static let template = 480
    /// The frames in which what remains of a step at the seam is led to zero.
    private static let settling = 240

    private let channels: Int
    private let period: [Float]
    private let frames: Int
    /// For each channel, by how much the sound lay beside its own period when it broke off.
    private var step: [Float]
    private var settled = 0
    private var next = 0

    /// - Parameters:
    ///   - samples: interleaved, of which at least `SoundLine.history` frames lie before the end.
    ///   - end: the frame at which the sound breaks off.
    init(of samples: UnsafeBufferPointer<Float>, channels: Int, end: Int) {
        self.channels = channels
        let lag = PitchSearch.best(
            in: samples, channels: channels, first: end - Self.template, count: Self.template, forward: false,
            lags: PitchSearch.lags
        ).lag
        var period = Array(samples[(end - lag) * channels..<end * channels])
        // The period's end leads to its beginning.
        let fade = lag / 4
        for frame in 0..<fade {
            let part = (Float(frame) + 0.5) / Float(fade)
            for channel in 0..<channels {
                let index = (lag - fade + frame) * channels + channel
                let before = samples[(end - lag - fade + frame) * channels + channel]
                period[index] += (before - period[index]) * part
            }
        }
        self.period = period
        frames = lag
        step = (0..<channels).map {
            samples[(end - 1) * channels + $0] - samples[(end - lag - 1) * channels + $0]
        }
    }

    /// The next frames, interleaved.
    mutating func take(_ count: Int) -> [Float] {
        var result: [Float] = []
        result.reserveCapacity(count * channels)
        for _ in 0..<count {
            let rest = settled < Self.settling ? 1 - Float(settled + 1) / Float(Self.settling) : 0
            for channel in 0..<channels { result.append(period[next * channels + channel] + step[channel] * rest) }
            settled += 1
            next = next + 1 == frames ? 0 : next + 1
        }
        return result
    }
}
