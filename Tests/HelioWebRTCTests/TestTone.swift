import Foundation

/// The tone that ends of a test send one another, as `Programs/README.md` of the foreign peers has it.
enum TestTone {
    static let rate = 48_000
    static let frequencies = [440.0, 660.0]
    static let amplitude = pow(10, -12.0 / 20)
    /// The sample frames at the start of each second of the machine's clock in which it rests: what comes out tells when
    /// it went in.
    static let rest = 4800

    /// Seconds since 1970 by the machine's clock.
    static var now: Double { Date().timeIntervalSince1970 }

    /// Interleaved stereo, from a sample frame since 1970.
    static func samples(from start: Int64, frames: Int) -> [Float] {
        var samples: [Float] = []
        samples.reserveCapacity(frames * 2)
        for frame in start..<start + Int64(frames) {
            let place = Int(frame % Int64(rate))
            for frequency in frequencies {
                let turns = frequency * Double(place) / Double(rate)
                samples.append(place < rest ? 0 : Float(amplitude * sin(2 * .pi * turns)))
            }
        }
        return samples
    }
}
