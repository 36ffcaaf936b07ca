/// Continues sound that was interrupted, by repeating its last pitch period.
///
/// The sound at the interruption rarely equals the sound one period earlier: it may be fading, or have no pitch. So the
/// difference between the two is continued, too, by an odd extension about its last value, which is continuous in value
/// and slope. The continued difference fades to zero.
struct PitchRepeater: Sendable {
    /// The number of frames compared to find the period: 10 ms at 48 kHz.
    private static let template = 480
    /// The number of frames over which the step at the seam fades to zero: 5 ms at 48 kHz.
    private static let settling = 240
    /// The number of frames over which the slope of the difference fades to zero: 1.25 ms, less than any period.
    private static let turning = 60

    private let channels: Int
    private let period: [Float]
    private let frames: Int
    /// The differences between the last frames and those one period earlier, latest frame first; interleaved.
    private let beside: [Float]
    private var settled = 0
    private var next = 0

    /// - Parameters:
    ///   - samples: interleaved samples, with at least `SoundLine.history` frames before `end`.
    ///   - end: the index of the frame at which the sound is interrupted.
    init(of samples: UnsafeBufferPointer<Float>, channels: Int, end: Int) {
        self.channels = channels
        let lag = PitchSearch.best(
            in: samples, channels: channels, first: end - Self.template, count: Self.template, forward: false,
            lags: PitchSearch.lags
        ).lag
        var period = Array(samples[(end - lag) * channels..<end * channels])
        // Cross-fade the end of the period into the frames before its beginning, so that it repeats without a click.
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
        var beside: [Float] = []
        beside.reserveCapacity((Self.turning + 1) * channels)
        for frame in 0...Self.turning {
            for channel in 0..<channels {
                let index = (end - 1 - frame) * channels + channel
                beside.append(samples[index] - samples[index - lag * channels])
            }
        }
        self.beside = beside
    }

    /// Returns the next frames, interleaved.
    mutating func take(_ count: Int) -> [Float] {
        var result: [Float] = []
        result.reserveCapacity(count * channels)
        for _ in 0..<count {
            let rest = settled < Self.settling ? 1 - Float(settled + 1) / Float(Self.settling) : 0
            let turn = settled < Self.turning ? 1 - Float(settled + 1) / Float(Self.turning) : 0
            let mirrored = min(settled + 1, Self.turning) * channels
            for channel in 0..<channels {
                let step = beside[channel]
                let slope = (step - beside[mirrored + channel]) * turn
                result.append(period[next * channels + channel] + step * rest + slope)
            }
            settled += 1
            next = next + 1 == frames ? 0 : next + 1
        }
        return result
    }
}
