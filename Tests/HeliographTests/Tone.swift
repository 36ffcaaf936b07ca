import Foundation
import HelioCore

/// Test tones, and measurements of received ones.
enum Tone {
    /// Returns frames of a sine, equal in both channels.
    static func sine(_ frequency: Double, amplitude: Double = 0.5, from first: Int, count: Int) -> [Float] {
        (first..<first + count).flatMap { frame -> [Float] in
            let value = Float(amplitude * sin(2 * .pi * frequency * Double(frame) / 48_000))
            return [value, value]
        }
    }

    /// The left channel's median frequency and amplitude; `nil` if there is no tone.
    static func measure(
        _ samples: [Float], channels: Int = 2, rate: Double = 48_000
    ) -> (frequency: Double, amplitude: Double)? {
        let left = stride(from: 0, to: samples.count, by: channels).map { Double(samples[$0]) }
        // A busy machine may lose a moment: each tenth of a second is measured separately.
        let length = Int(rate / 10)
        let parts = stride(from: 0, through: left.count - length, by: length).compactMap {
            measure(left[$0..<$0 + length], rate)
        }
        guard parts.count * 2 > left.count / length else { return nil }
        let middle = parts.count / 2
        return (parts.map(\.frequency).sorted()[middle], parts.map(\.amplitude).sorted()[middle])
    }

    private static func measure(
        _ samples: ArraySlice<Double>, _ rate: Double
    ) -> (frequency: Double, amplitude: Double)? {
        // The upward zero crossings, interpolated between samples.
        var crossings: [Double] = []
        for index in samples.indices.dropFirst() where samples[index - 1] < 0 && samples[index] >= 0 {
            crossings.append(Double(index) - samples[index] / (samples[index] - samples[index - 1]))
        }
        guard crossings.count > 2, let first = crossings.first, let last = crossings.last else { return nil }
        let power = samples.reduce(0) { $0 + $1 * $1 } / Double(samples.count)
        return (Double(crossings.count - 1) / (last - first) * rate, (2 * power).squareRoot())
    }
}
