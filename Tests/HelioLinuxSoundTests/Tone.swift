import Foundation

/// A test tone that can be generated and detected.
struct Tone {
    var frequency: Double
    var amplitude: Double = 0.5

    /// Returns frames of the tone in 48 kHz stereo.
    func samples(frames: Int, from first: Int = 0, rate: Double = 48000) -> [Float] {
        (first..<first + frames).flatMap { frame -> [Float] in
            let sample = Float(amplitude * sin(2 * .pi * frequency * Double(frame) / rate))
            return [sample, sample]
        }
    }

    /// A tone detected near this one's pitch in 48 kHz stereo.
    struct Found {
        /// The deviation from the expected pitch, in cents.
        var cents: Double
        /// The level relative to the expected one, in decibels.
        var level: Double
        /// The level of everything but the tone relative to the tone, in decibels below it.
        var noise: Double
        /// The largest step between samples beyond the tone's own, relative to the amplitude: a click.
        var click: Double
    }

    /// Measures the tone in one channel, in windows of 20 ms.
    func find(in stereo: some Collection<Float>, channel: Int = 0) -> Found {
        let samples = stereo.enumerated().filter { $0.offset % 2 == channel }.map { Double($0.element) }
        let length = 960
        let windows = samples.count / length
        let step = 2 * .pi * frequency / 48000
        // The phase of each window relative to this tone; a drift means a different pitch.
        var phases: [Double] = []
        var power = 0.0
        for window in 0..<windows {
            var (real, imaginary) = (0.0, 0.0)
            for index in window * length..<(window + 1) * length {
                // A Hann window suppresses other frequencies.
                let weight = 1 - cos(2 * .pi * (Double(index - window * length) + 0.5) / Double(length))
                real += samples[index] * cos(step * Double(index)) * weight
                imaginary -= samples[index] * sin(step * Double(index)) * weight
            }
            var phase = atan2(imaginary, real)
            if let last = phases.last { phase += 2 * .pi * ((last - phase) / (2 * .pi)).rounded() }
            phases.append(phase)
            power += (real * real + imaginary * imaginary) * 4 / Double(length * length)
        }
        let mean = (power / Double(windows)).squareRoot()
        let slope = Self.slope(phases) / Double(length)
        let found = step + slope
        var (click, noise) = (0.0, 0.0)
        for index in samples.indices.dropFirst().dropLast() {
            let rest = samples[index + 1] - 2 * cos(found) * samples[index] + samples[index - 1]
            click = max(click, abs(rest))
        }
        for window in 0..<windows {
            for index in window * length..<(window + 1) * length {
                let ideal = mean * cos(step * Double(index) + phases[window])
                noise += (samples[index] - ideal) * (samples[index] - ideal)
            }
        }
        noise = (noise / Double(windows * length)).squareRoot()
        return Found(
            cents: 1200 * log2(found / step), level: 20 * log10(mean / amplitude),
            noise: 20 * log10(mean / 2.0.squareRoot() / max(noise, 1e-9)), click: click / mean)
    }

    /// The slope of the regression line through values at 0, 1, 2 ...
    private static func slope(_ values: [Double]) -> Double {
        let count = Double(values.count)
        let (middle, mean) = ((count - 1) / 2, values.reduce(0, +) / count)
        let covariance = values.enumerated().reduce(0) { $0 + (Double($1.offset) - middle) * ($1.element - mean) }
        return covariance / max(1, (0..<values.count).reduce(0) { $0 + pow(Double($1) - middle, 2) })
    }
}
