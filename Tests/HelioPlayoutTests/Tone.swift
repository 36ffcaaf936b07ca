import Foundation

/// A sine tone, and measurements of one.
struct Tone {
    /// The frequency in hertz; a multiple of 400 has whole periods in 2.5 ms.
    var frequency = 800.0
    var amplitude = 0.5

    func samples(_ range: Range<Int>, rate: Double, channels: Int) -> [Float] {
        range.flatMap { index in
            let value = Float(amplitude * sin(2 * .pi * frequency * Double(index) / rate))
            return [Float](repeating: value, count: channels)
        }
    }

    /// The largest second difference of the tone's own samples.
    func bend(rate: Double) -> Float {
        let angle = 2 * Double.pi * frequency / rate
        return Float(amplitude * angle * angle)
    }

    /// The frequency in hertz, by the first and the last upward zero crossing.
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

    /// The interval between two pitches, in cents.
    static func cents(_ a: Double, _ b: Double) -> Double { abs(1200 * log2(a / b)) }

    /// The largest second difference of samples.
    static func bend(of samples: [Float]) -> Float {
        var most: Float = 0
        for index in 2..<max(2, samples.count) {
            most = max(most, abs(samples[index] - 2 * samples[index - 1] + samples[index - 2]))
        }
        return most
    }

    /// The longest run of samples that are almost zero.
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
