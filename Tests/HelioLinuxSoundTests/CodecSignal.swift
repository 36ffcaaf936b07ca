import Foundation
import HelioCore
import HelioTestPrograms
import Testing

/// Signals for codec tests, and measurements of the decoded ones.
enum CodecSignal {
    /// A stereo chord with a period of minutes: its delay can be measured to a sample.
    static func chord(frames: Int) -> [Float] {
        let tones = (0..<12).map { 110 * pow(1.31, Double($0)) }
        return (0..<frames).flatMap { frame -> [Float] in
            let time = Double(frame) / 48000
            let left = tones.reduce(0) { $0 + sin(2 * .pi * $1 * time) } / 24
            let right = tones.reduce(0) { $0 + cos(2 * .pi * $1 * time * 1.01) } / 24
            return [Float(left), Float(right)]
        }
    }

    /// Synthetic speech in stereo.
    static func speech() throws -> [Float] {
        let data = try Tool.run([
            "bash", "-c",
            "espeak-ng --stdout 'Sound comes with the picture, and as fast as the picture is seen.' "
                + "| sox -t wav - -t raw -e floating-point -b 32 -r 48000 -c 2 - gain -n -3",
        ])
        return data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }

    /// Encodes a signal into packets; `nil` for those that need not be sent.
    static func encode(_ samples: [Float], by encoder: any SoundEncoding) throws -> [[UInt8]?] {
        let size = encoder.framesPerPacket * encoder.format.channels
        return try stride(from: 0, through: samples.count - size, by: size).map {
            try encoder.encode(Array(samples[$0..<$0 + size]))
        }
    }

    /// Encodes and decodes a signal, with each packet at its media time; the result is as long as the input.
    static func roundTrip(
        _ samples: [Float], _ encoder: any SoundEncoding, _ decoder: any SoundDecoding
    ) throws -> [Float] {
        var output = [Float](repeating: 0, count: samples.count)
        for (number, packet) in try encode(samples, by: encoder).enumerated() {
            guard let packet else { continue }
            let start = (number * encoder.framesPerPacket - encoder.delayFrames) * 2
            for (index, sample) in try decoder.decode(packet).enumerated()
            where output.indices.contains(start + index) {
                output[start + index] = sample
            }
        }
        return output
    }

    /// The delay of the second signal in sample frames, and the ratio of the first signal to the difference in
    /// decibels.
    static func compare(_ first: [Float], _ second: [Float], frames: Range<Int>) -> (lag: Int, ratio: Double) {
        let lag = (-100...100).max { product(first, second, frames, $0) < product(first, second, frames, $1) } ?? 0
        let power = product(first, first, frames, 0)
        let difference = zip(first, second).map { $0 - $1 }
        return (lag, 10 * log10(power / product(difference, difference, frames, 0)))
    }

    private static func product(_ first: [Float], _ second: [Float], _ frames: Range<Int>, _ lag: Int) -> Double {
        frames.reduce(0) { $0 + Double(first[$1 * 2]) * Double(second[($1 + lag) * 2]) }
    }
}
