import Foundation

/// A sine, and what can be measured of one.
struct Tone {
    /// Whole periods in 2.5 ms, if it is a multiple of 400.
    var frequency = 800.0
    var amplitude = 0.5

    func samples(_ range: Range<Int>, rate: Double, channels: Int) -> [Float] {
        range.flatMap { index in
            let value = Float(amplitude * sin(2 * .pi * frequency * Double(index) / rate))
            return [Float](repeating: value, count: channels)
        }
    }

    /// The highest change from one difference of two samples to the next that the sine itself has.
    func bend(rate: Double) -> Float {
        let angle = 2 * Double.pi * frequency / rate
        return Float(amplitude * angle * angle)
    }

    /// The frequency, by the first and the last time at which the sound rises through zero.
    static func frequency(of samples: [Float], rate: Double) -> Double {
        var first: Double?
        var last = 0.0
        var periods = -1
        for index in 1..<samples.count where samples[index - 1] < 0 && samples[index] >= 0 {
            let part = Double(samples[index - 1]) / Double(samples[index - 1] - samples[index])
            let crossing = Double(index - 1) + part
            first = first ?? crossing
            last = crossing
            periods += 1
        }
        return Double(periods) / (last - (first ?? 0)) * rate
    }

    /// The distance of two pitches in cents.
    static func cents(_ a: Double, _ b: Double) -> Double { abs(1200 * log2(a / b)) }

    /// The highest second difference.
    static func bend(of samples: [Float]) -> Float {
        var most: Float = 0
        for index in 2..<max(2, samples.count) {
            most = max(most, abs(samples[index] - 2 * samples[index - 1] + samples[index - 2]))
        }
        return most
    }

    /// The longest run of samples that are as good as zero.
    static func longestSilence(of samples: some Sequence<Float>) -> Int {
        var longest = 0
        var run = 0
        for sample in samples {
            run = abs(sample) < 1e-3 ? run + 1 : 0
            longest = max(longest, run)
        }
        return longest
    }
}
